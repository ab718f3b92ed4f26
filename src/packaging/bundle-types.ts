import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { isPackage } from "./bundle.ts";

export interface TypeBundleOptions {
  /** Absolute path of the folder with the declarations that the compiler has emitted. */
  readonly emitted: string;
  /** Absolute path of the output folder. */
  readonly folder: string;
  /** Paths of the declarations that the package exports, without `.d.ts`, relative to `emitted` and to `folder`. */
  readonly entries: readonly string[];
}

/**
 * Bundles declarations: one file for each entry, and a few files in `types/` that entries share. Declarations that no
 * entry reaches are left out. A shared class is declared once, so its type is the same in all entries.
 */
export async function bundleTypes({ emitted, folder, entries }: TypeBundleOptions): Promise<void> {
  const bundled = await rolldown({
    cwd: emitted,
    input: Object.fromEntries(entries.map((entry) => [`${entry}.d`, `${emitted}/${entry}.d.ts`])),
    external: isPackage,
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
  });
  await bundled.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].ts",
    // The declaration plugin only processes chunks whose names end in `.d.ts`.
    chunkFileNames: ({ name }) => `types/${name.replace(/\.d$/, "")}-[hash].d.ts`,
  });
  await bundled.close();
}
