import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the licences of the packages from which bundled files come. */
export async function licencesOf(files: readonly string[]): Promise<string> {
  const packages = files.flatMap((file) => {
    return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [];
  });
  const texts = [...new Set(packages)].toSorted().map(async (folder) => {
    const manifest: { name: string; version: string; license?: string } = JSON.parse(
      await readFile(join(folder, "package.json"), "utf8"),
    );
    const text = await licenceIn(folder);
    return `${manifest.name} ${manifest.version} (${manifest.license ?? "see its text"})\n\n${text}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}

/** Returns the text of a package's licence: of its licence file, else of the section in its README. */
async function licenceIn(folder: string): Promise<string> {
  const names = await readdir(folder);
  const read = async (pattern: RegExp): Promise<string | undefined> => {
    const name = names.find((one) => pattern.test(one));
    return name === undefined ? undefined : readFile(join(folder, name), "utf8");
  };
  const readme = async () => /^#+ licen[cs]e\s*\n(.*)/ims.exec((await read(/^readme/i)) ?? "")?.[1];
  const text = (await read(/^(licen[cs]e|copying)/i)) ?? (await readme());
  if (text === undefined)
    throw new Error(`${folder} has no licence text: find it, and add it here`);
  return text.trim();
}
