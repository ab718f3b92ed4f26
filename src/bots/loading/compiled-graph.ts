/** A module and its imports within the project, compiled to JavaScript. */
export interface CompiledGraph {
  /** Hashes of the files that the result depends on, by path. */
  readonly inputs: Readonly<Record<string, string>>;
  /** JavaScript by the module's URL. */
  readonly code: Readonly<Record<string, string>>;
  /** URLs of imported modules, by the importing module's URL and the specifier. */
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Modules that a thread serves to Node. */
export type ServedModules = Pick<CompiledGraph, "code" | "imports">;

/** Data of the thread that compiles. */
export interface CompileRequest {
  /** Absolute paths of modules. */
  readonly files: readonly string[];
}

/** Graphs in the order of the requested files; undefined for a graph that needs the loader. */
export type CompileAnswer = readonly (CompiledGraph | undefined)[];
