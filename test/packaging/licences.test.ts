import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../src/packaging/bundle.ts";
import { licencesOf } from "../../src/packaging/licences.ts";

it.each([
  ["from its licence file", "yaml", "Copyright Eemeli Aro"],
  ["from its README, if it has no licence file", "pgpass", "Copyright (c) 2013-2016 Hannes Hörl"],
  ["from a README with a heading in lower case", "pg-types", "Copyright (c) 2014 Brian M. Carlson"],
])("has the licence of a bundled package %s", async (_title, name, copyright) => {
  const text = await licencesOf([join(ROOT, "node_modules", name, "index.js")]);

  expect(text).toContain(copyright);
  expect(text).toMatch(/permission notice|appear in all copies/);
});
