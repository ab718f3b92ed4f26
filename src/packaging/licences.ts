import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What the packages that bundled files come from ask to be passed on with them: their licences. */
export async function licencesOf(files: readonly string[]): Promise<string> {
  const packages = files.flatMap((file) => {
    return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [];
  });
  const texts = [...new Set(packages)].toSorted().map(async (folder) => {
    const manifest: { name: string; version: string; license?: string } = JSON.parse(
      await readFile(join(folder, "package.json"), "utf8"),
    );
    const name = (await readdir(folder)).find((one) => /^(licen[cs]e|copying)/i.test(one));
    const text = name === undefined ? "" : await readFile(join(folder, name), "utf8");
    return `${manifest.name} ${manifest.version} (${manifest.license ?? "see its text"})\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}
