import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import MiniSearch, { type Options } from "minisearch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deadSiteLinks } from "../../../src/packaging/site/dead-links.ts";
import { siteSearch } from "../../../src/packaging/site/site-search.ts";
import { addressOf, readSiteTexts } from "../../../src/packaging/site/site-texts.ts";
import { QUESTIONS } from "../../docs/search/questions.ts";
import { testBrowser } from "../../support/chromium.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};

let folder: string;
let site: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-site-"));
  site = join(folder, "site");
  // The site generator looks for npm packages in the folders above the site's pages.
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const program = join(ROOT, "src/packaging/site/main.ts");
  const args = ["--conditions=answerback-source", "--import", "tsx", program, "--folder", folder];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the search of the site", () => {
  let search: (words: string) => readonly string[];
  beforeAll(async () => {
    const chunks = join(site, "assets/chunks");
    const name = (await readdir(chunks)).find((one) => one.startsWith("@localSearchIndex")) ?? "";
    const built: { default: string } = await import(pathToFileURL(join(chunks, name)).href);
    const { miniSearch } = siteSearch(await readSiteTexts(), join(folder, "pages"));
    const options = { ...miniSearch?.options, searchOptions: miniSearch?.searchOptions };
    const index = MiniSearch.loadJSON(built.default, options as Options);
    search = (words) => index.search(words).map(({ id }) => String(id));
  });

  it.each(QUESTIONS)("answers '%s' among its first three pages", (question, page) => {
    expect(search(question).slice(0, 3)).toContain(addressOf(page));
  });

  it("finds entries of the reference, and pages for developers", () => {
    expect(search("report_conversion")).toContain("/config/reference/steps.html#report_conversion");
    expect(search("fidelity ledger recipe")).toContain("/CONTRIBUTING.html");
  });
});

describe("the pages of the site", () => {
  it("link to existing pages and headings", async () => {
    expect(await deadSiteLinks(site)).toEqual([]);
  });

  it("show the files to which pages link", async () => {
    const page = await readFile(join(site, "examples/deploy/dot-dockerignore.html"), "utf8");

    expect(page).toContain("node_modules");
  });

  it("show mustaches as written", async () => {
    const page = await readFile(join(site, "config/guide/rules/write-a-rule.html"), "utf8");

    expect(page).toMatch(/\{\{|&#123;&#123;/);
  });
});

describe("in a browser", { tags: ["browser"] }, () => {
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://site.invalid");
      const path = decodeURIComponent(pathname).replace(/\/$/, "/index.html");
      readFile(join(site, path)).then(
        (body) => response.setHeader("content-type", TYPES[extname(path)] ?? "").end(body),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    origin = typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("answers a typed question with a page, without requests to other hosts", async () => {
    const browser = await testBrowser();
    const page = await browser.context.newPage();
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(origin)) elsewhere.push(request.url());
    });
    await page.goto(`${origin}/`);
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").fill("how do I post every morning at nine");
    await page.getByRole("option").first().getByText("Post at nine every morning").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Post at nine every morning" }).waitFor();

    expect(page.url()).toBe(`${origin}/config/guide/rules/post-at-nine.html`);
    expect(elsewhere).toEqual([]);
    await browser.close();
  });

  it.each(["/", "/config/", "/config/reference/steps.html", "/examples/deploy/compose.yaml.html"])(
    "%s fits the width of a telephone",
    async (path) => {
      const browser = await testBrowser();
      const page = await browser.context.newPage();
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(origin + path);
      await page.locator("main h1").waitFor();

      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
      await browser.close();
    },
  );
});
