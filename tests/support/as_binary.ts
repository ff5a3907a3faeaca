/**
 * Loaded before the program (`deno run --preload`), it makes the runtime say that
 * it is a compiled binary, which cannot be built everywhere. Nothing else differs.
 */
Object.defineProperty(Deno, "build", { value: { ...Deno.build, standalone: true } });
