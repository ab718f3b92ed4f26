/** Compiled modules that a thread passes to Node instead of the source files. */
export interface ServedModules {
  /** JavaScript by the module's URL. */
  readonly code: Readonly<Record<string, string>>;
  /** URL of each imported module, by the URL of the importing module and the specifier in its code. */
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A module and its imports within the project. */
export interface ModuleGraph {
  /** Hashes of the files of the graph and of its tsconfig.json, by path. The hash of a missing file is that of "". */
  readonly inputs: Readonly<Record<string, string>>;
  /** Compiled code; absent if only the TypeScript loader can load the graph. */
  readonly served?: ServedModules;
  /** Whether a file of the graph has errors, or is missing. `inputs` may then lack files. */
  readonly isBroken: boolean;
}

/** Message to the thread that compiles modules. */
export interface CompileRequest {
  /** Absolute paths of the modules to compile. */
  readonly files: readonly string[];
}

/** Graphs in the order of the requested files. */
export type CompileAnswer = readonly ModuleGraph[];
