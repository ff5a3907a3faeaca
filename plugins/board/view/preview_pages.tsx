/// <reference lib="dom" />
/** The list of what can be previewed. */

import { h } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Assets, Target } from "./preview_model.ts";

/** The searchable list of pages and runes. */
export function Pages({ assets, target, choose: show }: {
  assets: Assets | undefined;
  target: Target;
  choose(target: Target): void;
}) {
  const { choices = { pages: [], runes: [] }, sites = [], site } = assets ?? {};
  const choose = (next: Target) => show(sites.length > 1 ? { site, ...next } : next);
  const [words, setWords] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const matches = (name: string) =>
    words.toLowerCase().split(/\s+/).every((word) => name.toLowerCase().includes(word));
  const groups = [
    { name: "Pages", key: "path", all: choices.pages },
    { name: "Runes", key: "rune", all: choices.runes },
  ].map((group) => ({ ...group, found: group.all.filter(matches) }));
  const folder = sharedFolder(choices.pages);
  const isShown = (key: string, name: string) => {
    const wanted = String(target[key] ?? "");
    return wanted !== "" && (name === wanted || name.endsWith(`/${wanted}`));
  };
  useLayoutEffect(() => {
    list.current!.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }, [choices, target]);
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
          const { key: first, found } = groups.find(({ found }) => found.length > 0) ?? {};
          // Without a match, a page beyond the listed ones.
          choose({ [exact?.key ?? first ?? "path"]: exact ? words : found?.[0] ?? words });
        }}
      />
      <div class="list" ref={list} tabIndex={-1}>
        {groups.filter(({ found }) => found.length > 0).map(({ name, key, found }) => (
          <section key={name}>
            <h2>
              {name} <span class="count">{found.length}</span>
            </h2>
            <ul>
              {found.map((one) => (
                <li key={one}>
                  <button
                    class="plain"
                    value={one}
                    aria-current={isShown(key, one)}
                    onClick={() => choose({ [key]: one })}
                  >
                    {one.slice(key === "path" ? folder.length : 0)}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {groups.every(({ found }) => found.length === 0) && words !== "" && (
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
