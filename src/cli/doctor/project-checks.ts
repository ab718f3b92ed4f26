import type { AccessLevel } from "../../protocol/access.ts";
import { checkFiles, type ProjectCheck } from "../check/check-files.ts";
import { counted } from "../../text/counted.ts";
import type { Io } from "../io.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const OLDEST_NODE = [20, 19] as const;

/** Checks whether this version of Node is supported. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  return isOld
    ? fail("node", `Node ${version} is too old`, `install Node ${OLDEST_NODE.join(".")} or newer`)
    : ok("node", `Node ${version}`);
}

/** Checks the rules. Also returns the lowest permission level that the rules need. */
export async function checkRules(
  io: Io,
  config: string | undefined,
): Promise<{ readonly finding: Finding; readonly needsLevel: AccessLevel }> {
  const check = await checkFiles(io, [], { config });
  return { finding: findingOf(check), needsLevel: check.needsLevel };
}

function findingOf({ problems, checked }: ProjectCheck): Finding {
  if (problems.length === 0) {
    return checked.rules > 0
      ? ok("rules", counted(checked.rules, "rule"))
      : warn(
          "rules",
          "no rules found",
          "add a file to config/rules, or set rules: in the settings",
        );
  }
  const isBroken = problems.some(({ severity }) => severity === "error");
  return (isBroken ? fail : warn)(
    "rules",
    `${counted(problems.length, "problem")}; everything else runs`,
    "answerback check",
  );
}
