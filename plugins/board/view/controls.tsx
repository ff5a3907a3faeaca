/// <reference lib="dom" />
/** Controls and marks that both views share. */

import { type ComponentChildren, h, type JSX } from "preact";

export const titled = (word: string) => word[0]!.toUpperCase() + word.slice(1);

export function Count({ of }: { of: ComponentChildren }) {
  return <span class="count">{of}</span>;
}

/** Done and all, such as ticked criteria; nothing without any. */
export function Bar({ of: [done, all] = [0, 0] }: { of: readonly [number, number] | undefined }) {
  return all === 0 ? null : <span class="bar" style={{ "--part": done / all }}>{done}/{all}</span>;
}

type SmallProps = JSX.IntrinsicElements["button"] & {
  text: string;
  of?: string | undefined;
};

/** A small button; its name says also what it is about. */
export function Small({ text, of, ...rest }: SmallProps) {
  return <button class="small" aria-label={of && `${text} ${of}`} {...rest}>{text}</button>;
}

/** A group of buttons with one pressed. */
export function Segments<Value extends string>({ label, values, value, choose }: {
  label: string;
  values: readonly Value[];
  value: string;
  choose: (value: Value) => void;
}) {
  return (
    <div class="segments" id={label.toLowerCase()} role="group" aria-label={label}>
      {values.map((choice) => (
        <button
          key={choice}
          aria-pressed={choice === value}
          onClick={() => choose(choice)}
        >
          {titled(choice)}
        </button>
      ))}
    </div>
  );
}

/** A list of choices. */
export function Select({ values, choose, ...rest }: {
  values: readonly (readonly [value: string, label: string])[];
  choose(value: string, control: HTMLSelectElement): void;
} & JSX.IntrinsicElements["select"]) {
  return (
    <select onChange={({ currentTarget: select }) => choose(select.value, select)} {...rest}>
      {values.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
    </select>
  );
}

export function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return <datalist id={id}>{values.map((value) => <option key={value} value={value} />)}</datalist>;
}
