/**
 * The answers to the requests of a JSON-RPC batch, which are sent together.
 *
 * @module
 */

/** One batch whose answers are not all there. */
interface Batch {
  readonly ids: Set<unknown>;
  readonly answers: unknown[];
}

/** The batches of a connection. */
export interface Batches {
  /** Begins a batch of requests with these ids; without any, nothing is answered. */
  begin(ids: readonly unknown[]): void;
  /** Takes an answer: gives what is to be sent now, an answer or a whole batch, or `undefined`. */
  take(message: { readonly id?: unknown }): unknown;
  /** Expects no answer to a request any more. */
  forget(id: unknown): void;
}

/** Makes the batches of a connection: at first there are none. */
export function createBatches(): Batches {
  const batches = new Set<Batch>();
  return {
    begin: (ids) => {
      if (ids.length > 0) batches.add({ ids: new Set(ids), answers: [] });
    },
    take: (message) => {
      const batch = [...batches].find(({ ids }) => ids.has(message.id));
      if (batch === undefined) return message;
      batch.ids.delete(message.id);
      batch.answers.push(message);
      if (batch.ids.size > 0) return undefined;
      batches.delete(batch);
      return batch.answers;
    },
    forget: (id) => {
      for (const batch of batches) batch.ids.delete(id);
    },
  };
}
