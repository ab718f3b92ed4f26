#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { processIo } from "./io.ts";
import { main } from "./main.ts";

const manifest: unknown = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
);
const version =
  typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown";

process.exitCode = await main(process.argv.slice(2), processIo(), version);
