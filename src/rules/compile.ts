/** Entry point for other folders: compiles rule files into rules, or into problems with their place and a fix. */
export * from "./compile/compile-rules.ts";
export { compile, compiling, revisionOf, type SourceFile } from "./compile/compile.ts";
export { CompiledFiles } from "./compile/files/compiled-files.ts";
export { compileMatcher, wantedOf } from "./compile/matcher.ts";
export { neededLevel } from "./compile/project/permissions.ts";
export { recompile, recompileAll, type PinnedRule } from "./compile/recompile.ts";
export { withNamedFiles, type ReadNamedFile } from "./compile/with-named-files.ts";
export { MAX_NAMED_FILE } from "./named-files.ts";
