// Loaded into a process with NODE_V8_COVERAGE: writes its coverage at each SIGUSR2, and counts again from zero.
// A file `written-N` in the same folder tells that report N is complete.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeCoverage } from "node:v8";

let reports = 0;
process.on("SIGUSR2", () => {
  takeCoverage();
  reports += 1;
  writeFileSync(join(process.env.NODE_V8_COVERAGE, `written-${reports}`), "");
});
