/**
 * Preloaded (`deno run --preload`), it makes the runtime report a compiled binary, which
 * cannot be built everywhere.
 */
Object.defineProperty(Deno, "build", { value: { ...Deno.build, standalone: true } });
