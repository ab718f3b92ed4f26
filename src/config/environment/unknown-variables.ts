import { didYouMean } from "../../text/did-you-mean.ts";
import { SETTING_NAMES } from "../override-settings.ts";
import type { Problem } from "../problem.ts";
import { valueAt } from "../value-at.ts";
import type { YamlDocument } from "../yaml-document.ts";
import { variablesIn } from "./substitute-environment.ts";
import { UNSUPPORTED_VARIABLES } from "../wrong-settings/unsupported-settings.ts";

const PREFIX = "ANSWERBACK_";

/**
 * Allowed variables that are no settings, without the prefix `ANSWERBACK_`. `TEST_INSTALL` is for this package's own
 * tests.
 */
const BESIDE_SETTINGS = ["KEY", "ACCESS_TOKEN", "ACCESS_TOKEN_SECRET", "TEST_INSTALL"] as const;

/**
 * Matches variables with which Kubernetes and Docker describe a service whose name begins with `answerback`, without the
 * prefix. `ANSWERBACK_PORT` is one only if its value is a URL.
 */
const SERVICE_LINK =
  /^(?:\w+_)?(?:SERVICE_HOST=|SERVICE_PORT(?:_\w+)?=|PORT(?:_\d+_(?:TCP|UDP|SCTP))?=(?:tcp|udp|sctp):|PORT_\d+_(?:TCP|UDP|SCTP)_(?:PROTO|PORT|ADDR)=)/;

const KNOWN: ReadonlySet<string> = new Set([
  ...[...SETTING_NAMES.map(({ variable }) => variable), ...UNSUPPORTED_VARIABLES.values()].map(
    (name) => name.slice(PREFIX.length),
  ),
  ...BESIDE_SETTINGS,
]);

/**
 * Reports environment variables with the prefix `ANSWERBACK_` that belong to no setting.
 *
 * @param document The settings file. Variables that it uses as `${{ env.NAME }}`, or lists under `secrets`, are allowed.
 */
export function unknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
  document: YamlDocument,
): readonly Problem[] {
  const listed = valueAt(document.value, ["secrets"]);
  const used = new Set<unknown>([
    ...variablesIn(document),
    ...(Array.isArray(listed) ? listed : []),
  ]);
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !KNOWN.has(name.slice(PREFIX.length)))
    .filter((name) => !SERVICE_LINK.test(`${name.slice(PREFIX.length)}=${environment[name] ?? ""}`))
    .filter((name) => !used.has(name))
    .map((name) => {
      const guess = didYouMean(name.slice(PREFIX.length), KNOWN);
      return {
        file: name,
        line: 1,
        column: 1,
        length: 1,
        severity: "error",
        code: "unknown-environment",
        message: `no setting is called ${name}`,
        help:
          guess === undefined
            ? `unset it; a setting such as webhook.listen is ${PREFIX}WEBHOOK_LISTEN`
            : `did you mean ${PREFIX}${guess}?`,
      };
    });
}
