/**
 * What a tool, a resource or a prompt is handed while it runs.
 *
 * @module
 */

import type { Project } from "../project/project.ts";

/** The levels of MCP logging that the server uses, least severe first. */
export type LogLevel = "debug" | "info" | "warning" | "error";

/** One step of long work: `progress` rises, `total` is known or left out. */
export interface ProgressUpdate {
  /** How much is done, in units of the work's own. */
  readonly progress: number;
  /** How much there is in all, in the same units. */
  readonly total?: number;
  /** One short line for a person. */
  readonly message?: string;
}

/** Something that the client, or the person behind it, is asked for. */
export type InputRequest =
  | {
    /** A form for the person. */
    readonly method: "elicitation/create";
    /** What is asked, and the JSON Schema of the answer: an object of plain fields. */
    readonly params: {
      readonly message: string;
      readonly requestedSchema: Record<string, unknown>;
    };
  }
  | {
    /** A message that the client's model writes. */
    readonly method: "sampling/createMessage";
    /** The parameters of the specification. */
    readonly params: Readonly<Record<string, unknown>>;
  }
  | {
    /** The folders that the client works in. */
    readonly method: "roots/list";
  };

/**
 * Ends a run that needs an answer from the client first: the client sends the call again
 * with the answer. Let it pass; it is no failure.
 */
export class InputNeeded extends Error {
  /** What the client is sent in place of a result. */
  readonly reply: unknown;

  /** @param reply See {@linkcode InputNeeded.reply}. */
  constructor(reply: unknown) {
    super("The client is asked first");
    this.name = "InputNeeded";
    this.reply = reply;
  }
}

/** The facts and channels that belong to one call. */
export interface CallContext {
  /** The project as it was detected just before this call. */
  readonly project: Project;
  /** Aborts when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** The most characters of an answer, where it is not the default. */
  readonly budget?: number;
  /** Reports progress; does nothing where the client asked for none. */
  progress(update: ProgressUpdate): void;
  /** Writes to the server's log, never to stdout. */
  log(level: LogLevel, message: string, data?: Record<string, unknown>): void;
  /**
   * Asks the person a yes-or-no question, where the client can; absent where it
   * cannot. Answers `false` for no, cancel and failure.
   */
  confirm?(question: string): Promise<boolean>;
  /**
   * Asks the client for several things at once, where it can; the answers have the keys of the
   * requests, as the client gave them. Clients of the newest protocol send the call again with their
   * answers, so that everything before `ask` runs a second time.
   *
   * @throws {InputNeeded} Where the client has to answer first.
   */
  ask?(requests: Readonly<Record<string, InputRequest>>): Promise<Record<string, unknown>>;
}
