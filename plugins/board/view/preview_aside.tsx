/// <reference lib="dom" />
/** Beside the preview: findings, a rune's attributes, the contract's names, differences. */

import { Fragment, h } from "preact";
import { type Attribute, listedOf, type Preview, type Target } from "./preview_model.ts";

/** The findings: visible as soon as there are any. */
export function Findings({ preview, reveal, edit }: {
  preview: Preview;
  /** Shows a line in the page. */
  reveal(line: number): void;
  /** Opens a line in the editor; absent without one. */
  edit: ((line: number) => void) | undefined;
}) {
  const listed = listedOf(preview.diagnostics);
  if (listed.length === 0) return null;
  return (
    <section id="findings" class="box" aria-label="Findings" tabIndex={-1}>
      <h2>
        Findings <span class="count">{listed.length}</span>
      </h2>
      <ol id="diagnostics">
        {listed.map(({ finding, following }, at) => {
          const { line, severity, code, message, fix } = finding;
          return (
            <li key={at} class={severity}>
              <span class="badge">{severity} {code}</span>
              <div>
                {line !== undefined && (
                  <>
                    <button class="plain" onClick={() => reveal(line)}>line {line}</button>:{" "}
                  </>
                )}
                {message}
                {fix && (
                  <p class="fix">
                    {fix.old
                      ? (
                        <>
                          Replace <code>{fix.old}</code> by
                        </>
                      )
                      : "Write"} {fix.text === "" ? "nothing" : <code>{fix.text}</code>}
                  </p>
                )}
                {line !== undefined && edit && (
                  <button class="plain" onClick={() => edit(line)}>Open in editor</button>
                )}
                {following.length > 0 && (
                  <details>
                    <summary>{following.length} more follow from it</summary>
                    <ul>
                      {following.map(({ line, message }, at) => (
                        <li key={at}>line {line}: {message}</li>
                      ))}
                    </ul>
                  </details>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

export function Aside({ preview: { elements, leftOut, warnings }, marked, mark }: {
  preview: Preview;
  marked: string | undefined;
  mark(selector: string | undefined): void;
}) {
  const notes = [...leftOut.map((what) => `Not shown: ${what}.`), ...warnings];
  return (
    <div class="aside">
      <section class="box">
        <h2>Elements of the contract</h2>
        <div id="names" class="row">
          {elements.map(({ selector, rune, name }) => (
            <button
              key={selector}
              title={selector}
              aria-pressed={selector === marked}
              onClick={() => mark(selector === marked ? undefined : selector)}
            >
              {rune}: {name}
            </button>
          ))}
          {elements.length === 0 && <span class="count">None.</span>}
        </div>
      </section>
      {notes.length > 0 && (
        <details id="notes" class="box">
          <summary>Differences from the live site</summary>
          <ul>{notes.map((note) => <li key={note}>{note}</li>)}</ul>
        </details>
      )}
    </div>
  );
}

/** The attributes of a rune as a form; each change renders the example again. */
export function Attributes({ attributes, target, choose }: {
  attributes: readonly Attribute[];
  target: Target;
  choose(target: Target): void;
}) {
  const values: Record<string, string | number | boolean> = Object(target["attributes"]);
  const set = (name: string, value: string | number | boolean | undefined) => {
    const { [name]: _, ...others } = values;
    const next = value === undefined ? others : { ...others, [name]: value };
    choose({ ...target, attributes: next });
  };
  if (attributes.length === 0) return null;
  return (
    <section id="attributes" class="row box" aria-label="Attributes">
      {attributes.map(({ name, type, values: allowed, description }) => {
        const value = values[name];
        return (
          <label key={name}>
            <span>
              {name} {description && <small class="soft">{description}</small>}
            </span>
            {allowed || type === "boolean"
              ? (
                <select
                  value={value === undefined ? "" : String(value)}
                  onChange={({ currentTarget: { value } }) =>
                    set(
                      name,
                      value === "" ? undefined : type === "boolean" ? value === "true" : value,
                    )}
                >
                  <option value="">as in the example</option>
                  {(allowed ?? ["true", "false"]).map((one) => (
                    <option key={one} value={one}>{one}</option>
                  ))}
                </select>
              )
              : (
                <input
                  inputMode={type === "number" ? "decimal" : "text"}
                  value={value === undefined ? "" : String(value)}
                  onChange={({ currentTarget: { value } }) =>
                    set(name, value === "" ? undefined : type === "number" ? Number(value) : value)}
                />
              )}
          </label>
        );
      })}
    </section>
  );
}

/** The source of a rune's example. */
export function Source({ text, copy }: { text: string; copy(text: string): void }) {
  return (
    <details class="box source">
      <summary>Source</summary>
      <button class="small" onClick={() => copy(text)}>Copy</button>
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
}
