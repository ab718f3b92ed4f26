import { execFile } from "node:child_process";
import { mkdtemp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { writeSourceLauncher } from "../../src/packaging/source-launcher.ts";
import { packageVersion } from "../../src/system/package-version.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const execute = promisify(execFile);

/** Creates a folder like a checkout of this repository without `dist`, with links to this repository's files. */
async function checkout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "launcher of a checkout-"));
  for (const name of ["package.json", "src", "node_modules"]) {
    await symlink(join(ROOT, name), join(folder, name));
  }
  return folder;
}

describe("the launcher of a checkout that was not built", () => {
  it("starts the command line from source, with its arguments and its exit code", async () => {
    const folder = await checkout();
    await writeSourceLauncher(folder);

    const bin = join(folder, "dist/cli/bin.js");
    expect((await execute(bin, ["--version"])).stdout).toBe(`${packageVersion()}\n`);
    await expect(execute(bin, ["check", "--no-such"])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--no-such"),
    });
  });

  it("is started by npx, from where the package is", async () => {
    const folder = await checkout();
    await writeSourceLauncher(folder);

    const { stdout } = await execute("npx", ["--offline", "answerback", "--version"], {
      cwd: folder,
    });
    expect(stdout).toBe(`${packageVersion()}\n`);
  });

  it("leaves a program alone that was built", async () => {
    const folder = await checkout();
    await mkdir(join(folder, "dist/cli"), { recursive: true });
    await writeFile(join(folder, "dist/cli/bin.js"), "// built");

    await writeSourceLauncher(folder);

    expect(await readFile(join(folder, "dist/cli/bin.js"), "utf8")).toBe("// built");
  });
});
