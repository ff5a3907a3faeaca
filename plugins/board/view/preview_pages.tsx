/// <reference lib="dom" />
/** The list of what can be previewed. */

import { h } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Choices, Shown, Target } from "./preview_model.ts";

const NO_CHOICES: Choices = { pages: [], runes: [] };

/** The searchable list of pages and runes. */
export function Pages({ rendered, target, choose: show }: {
  rendered: Shown | undefined;
  target: Target;
  choose(target: Target): void;
}) {
  const { sites = [], site, preview } = rendered ?? {};
  const { pages, runes } = preview?.choices ?? NO_CHOICES;
  const choose = (next: Target) => show(sites.length > 1 ? { site, ...next } : next);
  const [words, setWords] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const matches = (name: string) =>
    words.toLowerCase().split(/\s+/).every((word) => name.toLowerCase().includes(word));
  const groups = [
    { name: "Pages", key: "path", all: pages },
    { name: "Runes", key: "rune", all: runes },
  ].map((group) => ({ ...group, matching: group.all.filter(matches) }));
  const folder = sharedFolder(pages);
  const isShown = (key: string, name: string) => {
    const wanted = String(target[key] ?? "");
    return wanted !== "" && (name === wanted || name.endsWith(`/${wanted}`));
  };
  useLayoutEffect(() => {
    list.current!.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }, [pages, target]);
  return (
    <nav class="pages" aria-label="Pages and runes">
      {sites.length > 1 && (
        <select
          aria-label="Site"
          value={site}
          onChange={({ currentTarget }) => choose({ site: currentTarget.value })}
        >
          {sites.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
      )}
      <input
        type="search"
        id="name"
        placeholder="Search pages and runes"
        aria-label="Search pages and runes"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key !== "Enter" || words === "") return;
          const exact = groups.find(({ all }) => all.includes(words));
          const { key: first, matching } = groups.find(({ matching }) => matching.length > 0) ?? {};
          // Without a match, a page beyond the listed ones.
          choose({ [exact?.key ?? first ?? "path"]: exact ? words : matching?.[0] ?? words });
        }}
      />
      <div class="list" ref={list} tabIndex={-1}>
        {groups.filter(({ matching }) => matching.length > 0).map(({ name, key, matching }) => (
          <section key={name}>
            <h2>
              {name} <span class="count">{matching.length}</span>
            </h2>
            <ul>
              {matching.map((name) => (
                <li key={name}>
                  <button
                    class="plain"
                    value={name}
                    aria-current={isShown(key, name)}
                    onClick={() => choose({ [key]: name })}
                  >
                    {key === "path" ? name.slice(folder.length) : name}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {groups.every(({ matching }) => matching.length === 0) && words !== "" && (
          <p class="empty">
            No matching pages. <button onClick={() => setWords("")}>Clear search</button>
          </p>
        )}
      </div>
    </nav>
  );
}

/** The folder of all pages, which their names leave out. */
function sharedFolder([first = "", ...others]: readonly string[]): string {
  let folder = first.slice(0, first.lastIndexOf("/") + 1);
  while (folder !== "" && !others.every((other) => other.startsWith(folder))) {
    folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  }
  return folder;
}
