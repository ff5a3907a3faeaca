/** The context that tools, resources and prompts run with. */

import type { Project } from "../project/project.ts";

/** The levels of MCP logging that the server uses, from the lowest severity. */
export type LogLevel = "debug" | "info" | "warning" | "error";

/** A progress report; `progress` must increase, `total` is optional. */
export interface ProgressUpdate {
  /** The work done, in any unit. */
  readonly progress: number;
  /** The total work, in the same unit. */
  readonly total?: number;
  /** A short line for people. */
  readonly message?: string;
}

/** A request to the client or its user. */
export type InputRequest =
  | {
    /** A form for the user. */
    readonly method: "elicitation/create";
    /** The question and the JSON Schema of the answer, an object of primitive fields. */
    readonly params: {
      readonly message: string;
      readonly requestedSchema: Record<string, unknown>;
    };
  }
  | {
    /** A completion by the client's model. */
    readonly method: "sampling/createMessage";
    /** The parameters, as in the MCP specification. */
    readonly params: Readonly<Record<string, unknown>>;
  }
  | {
    /** The folders that the client works in. */
    readonly method: "roots/list";
  };

/** Ends a run that needs input; the client repeats the call with it. Do not catch it. */
export class InputNeeded extends Error {
  /** The reply to the client. */
  readonly reply: unknown;

  /** @param reply The reply to the client. */
  constructor(reply: unknown) {
    super("The client must answer first");
    this.name = "InputNeeded";
    this.reply = reply;
  }
}

/** The project and the client connection of one call. */
export interface CallContext {
  /** The project, detected just before this call. */
  readonly project: Project;
  /** Aborts when the client cancels or disconnects. */
  readonly signal: AbortSignal;
  /** The same object for all calls of a client's session, if there is one. */
  readonly session?: object;
  /** The maximum size of the result in characters, if not the default. */
  readonly budget?: number;
  /** Reports progress, if the client requested it. */
  progress(update: ProgressUpdate): void;
  /** Writes to the server's log, never to stdout. */
  log(level: LogLevel, message: string, data?: Record<string, unknown>): void;
  /** Asks a yes-or-no question; absent if the client cannot, `false` on cancel. */
  confirm?(question: string): Promise<boolean>;
  /**
   * Sends several requests to the client, and returns its answers by the requests' keys. The call is
   * repeated with the answers, so the code before `ask` runs again. Absent if the client supports none.
   *
   * @throws {InputNeeded} If the client must answer first.
   */
  ask?(requests: Readonly<Record<string, InputRequest>>): Promise<Record<string, unknown>>;
}
