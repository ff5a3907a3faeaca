/** Streams what git prints, split at each NUL, and stops git when the caller has enough. */

import { gitError } from "../../../src/io/git_ask.ts";
import { type GitOptions, type GitResult, runGit } from "../../../src/io/git.ts";

/** The most output of git in bytes; it is streamed. */
const MOST_OUTPUT = 4 * 1024 * 1024 * 1024;
/** The longest token in characters; the rest of one is dropped. */
const MOST_TOKEN = 1_000_000;

/** Ends git before it has printed all. */
class EnoughError extends Error {}

/**
 * Runs git, and takes its output token by token.
 *
 * @param take Returns `false` when it needs no more.
 * @returns The result of git; `undefined` if it was ended because there was enough.
 */
export async function streamTokens(
  args: readonly string[],
  options: GitOptions,
  take: (token: string) => boolean | void,
): Promise<GitResult | undefined> {
  const decoder = new TextDecoder();
  let held = "";
  const takeEach = (tokens: readonly string[]) => {
    for (const token of tokens) {
      if (take(token.slice(0, MOST_TOKEN)) === false) throw new EnoughError();
    }
  };
  try {
    const result = await runGit(args, {
      ...options,
      limit: MOST_OUTPUT,
      take: (piece) => {
        const text = decoder.decode(piece, { stream: true });
        const tokens = text.split("\0");
        tokens[0] = held + tokens[0];
        held = tokens.pop()!;
        if (held.length > MOST_TOKEN) held = held.slice(0, MOST_TOKEN);
        takeEach(tokens);
      },
    });
    if (held !== "") takeEach([held]);
    return result;
  } catch (error) {
    if (error instanceof EnoughError) return undefined;
    throw error;
  }
}

/** Like {@linkcode streamTokens}, but throws if git fails; returns whether all was taken. */
export async function readTokens(
  args: readonly string[],
  options: GitOptions,
  take: (token: string) => boolean | void,
): Promise<boolean> {
  const result = await streamTokens(args, options, take);
  if (result !== undefined && result.code !== 0) throw gitError(result, options.cwd);
  return result !== undefined;
}
