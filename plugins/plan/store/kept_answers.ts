/**
 * Answers that are the same until something changes.
 *
 * @module
 */

/** How long an answer is kept, in milliseconds: a plugin may look at the date. */
const KEPT_MS = 60_000;
/** How many are kept: arguments come from outside. */
const MOST = 32;

/** The answers to one state of a plan. */
export class KeptAnswers {
  readonly #answers = new Map<string, { readonly value: unknown; readonly until: number }>();

  /**
   * The kept answer, or a new one. Callers share it, and must not change it.
   *
   * @param key What it depends on beside the plan.
   * @param make Makes it; a failure is not kept.
   */
  async get<Value>(key: string, make: () => Value | Promise<Value>): Promise<Value> {
    const known = this.#answers.get(key);
    if (known !== undefined && performance.now() < known.until) return known.value as Value;
    const value = await make();
    if (this.#answers.size >= MOST) this.#answers.clear();
    this.#answers.set(key, { value, until: performance.now() + KEPT_MS });
    return value;
  }
}
