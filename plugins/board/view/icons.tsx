/// <reference lib="dom" />
/** Types, priorities and people as small pictures with a name. */

import { h, type JSX } from "preact";
import { BARS } from "./model.ts";

/** The icons by type: paths in a box of 16. */
const TYPES: Readonly<Record<string, string>> = {
  work: "M2 8l4 4 8-9",
  bug: "M8 2a6 6 0 1 0 .1 0zM8 5v4M8 11v.1",
  spec: "M3 2h10v12H3zM6 6h4M6 10h4",
  decision: "M8 2l6 6-6 6-6-6z",
  milestone: "M4 14V2h9l-3 3 3 3H4",
};

function Icon({ label, children, ...rest }: JSX.IntrinsicElements["svg"] & { label: string }) {
  return (
    <svg viewBox="0 0 16 16" role="img" aria-label={label} {...rest}>
      <title>{label}</title>
      {children}
    </svg>
  );
}

export function TypeIcon({ type = "" }: { type: string | undefined }) {
  return (
    <Icon class="icon type" data-type={type} label={type}>
      <path d={TYPES[type] ?? "M3 3h10v10H3z"} />
    </Icon>
  );
}

export function PriorityIcon({ priority }: { priority: string | undefined }) {
  if (!priority) return null;
  const bars = BARS[priority] ?? 0;
  return (
    <Icon class="icon priority" data-priority={priority} label={`priority ${priority}`}>
      {bars === 4 ? <path d="M8 2v7M8 12v1.5" /> : [0, 1, 2].map((bar) => (
        <path
          key={bar}
          d={`M${4 + bar * 4} 13v-${3 + bar * 3.5}`}
          opacity={bar < bars ? 1 : 0.3}
        />
      ))}
    </Icon>
  );
}

/** The initials of a person or an agent, in a colour of its own. */
export function Avatar({ name }: { name: string }) {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? ["?"];
  const letters = words.length > 1
    ? [words[0]!, words.at(-1)!].map(([letter]) => letter)
    : [...words[0]!].slice(0, 2);
  const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 360, 7);
  const label = name || "unassigned";
  return (
    <span class="avatar" style={{ "--hue": hue }} role="img" aria-label={label} title={label}>
      {letters.join("").toUpperCase()}
    </span>
  );
}
