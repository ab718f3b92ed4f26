import { bundlePage } from "./bundle-page.ts";

/** Bundles the console's page and prints its files as JSON: names, and contents in base64. */
const files = await bundlePage();
const printed = files.map(({ name, body }) => ({
  name,
  body: Buffer.from(body).toString("base64"),
}));
process.stdout.write(JSON.stringify(printed));
