/// <reference lib="dom" />
/** The findings of the page, with their lines and corrections. */

import { Fragment, h } from "preact";
import { Count } from "./controls.tsx";
import type { Finding } from "./preview_model.ts";

interface FindingsProps {
  findings: readonly Finding[];
  /** Shows a line in the page. */
  reveal(line: number): void;
  /** Opens a line in the editor; absent without one. */
  edit: ((line: number) => void) | undefined;
}

/** Visible as soon as there are any. */
export function Findings({ findings, reveal, edit }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <section id="findings" class="box" aria-label="Findings">
      <h2>
        Findings <Count of={findings.length} />
      </h2>
      <ol id="diagnostics">
        {findings.map(({ line, severity, code, message, fix }, at) => (
          <li key={at} class={severity}>
            <span class="badge">{severity} {code}</span>
            <div>
              {line !== undefined && (
                <>
                  <button class="plain" onClick={() => reveal(line)}>line {line}</button>:{" "}
                </>
              )}
              {message}
              {fix && <Correction fix={fix} />}
              {line !== undefined && edit && (
                <button class="plain" onClick={() => edit(line)}>Open in editor</button>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Correction({ fix: { old, text } }: { fix: NonNullable<Finding["fix"]> }) {
  const replacement = text === "" ? "nothing" : <code>{text}</code>;
  if (!old) return <p>Write {replacement}</p>;
  return (
    <p>
      Replace <code>{old}</code> by {replacement}
    </p>
  );
}
