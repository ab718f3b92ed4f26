/** A module and its imports within the project, as compiled JavaScript. */
export interface CompiledGraph {
  /** Hashes of the files on which the compiled code depends, by path. */
  readonly inputs: Readonly<Record<string, string>>;
  /** JavaScript by the module's URL. */
  readonly code: Readonly<Record<string, string>>;
  /** URL of each imported module, by the URL of the importing module and the specifier in its code. */
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Compiled modules that a thread passes to Node instead of the source files. */
export type ServedModules = Pick<CompiledGraph, "code" | "imports">;

/** Message to the thread that compiles modules. */
export interface CompileRequest {
  /** Absolute paths of the modules to compile. */
  readonly files: readonly string[];
}

/** Graphs in the order of the requested files; undefined for a graph that only the TypeScript loader can load. */
export type CompileAnswer = readonly (CompiledGraph | undefined)[];
