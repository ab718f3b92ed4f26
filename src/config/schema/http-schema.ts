import * as z from "zod";
import { privateNetworkOf } from "../../system/global-unicast.ts";
import { hasPort, NO_PORT, reporting, type ValueMistake } from "./shared-schemas.ts";

/** Host of a URL with its port. Names of containers and Windows machines may have underscores. */
const HOST = /^(\[[0-9a-fA-F:.]+\]|\w([\w.-]*\w)?)(:\d{1,5})?$/;

/** Network with its port, such as `10.0.0.0/8:8080` or `[fd00::/8]:8080`. */
const NETWORK = /^(\d[\d.]*\/\d{1,2}|\[[0-9a-fA-F:]+\/\d{1,3}\])(:\d{1,5})?$/;
const PRIVATE_NETWORKS =
  "write a part of 10.0.0.0/8, 100.64.0.0/10, 172.16.0.0/12, 192.168.0.0/16 or [fc00::/7]";

const allowedHost = z
  .string()
  .superRefine(reporting(hostMistake))
  .meta({ pattern: `${HOST.source}|${NETWORK.source}` });

function hostMistake(value: string): ValueMistake | undefined {
  const network = NETWORK.exec(value)?.[1]?.replaceAll(/[[\]]/g, "");
  const isPrivate = network !== undefined && privateNetworkOf(network) !== undefined;
  if ((HOST.test(value) || isPrivate) && hasPort(value)) return undefined;
  if (network !== undefined && !isPrivate) {
    const message = `${JSON.stringify(network)} is not a private network`;
    return { message, help: PRIVATE_NETWORKS };
  }
  const parsed = URL.parse(/^https?:/i.test(value) ? value : `http://${value}`)?.host ?? "";
  const name = parsed.replace(/\.(?=:|$)/, "");
  const host = HOST.test(name) ? name : "api.example.com";
  return {
    message: HOST.test(value) || isPrivate ? NO_PORT : `${JSON.stringify(value)} is not a host`,
    help: value.includes("*")
      ? 'write each host with its whole name, as "api.example.com"'
      : `write ${JSON.stringify(host)} or "127.0.0.1:9999"`,
  };
}

/** Hosts that steps of rules may call. */
export const http = z.strictObject({
  allow: z
    .array(allowedHost)
    .default([])
    .describe(
      "Hosts that the step http may request. If a name resolves to an address of this machine or of a private network, also list that address with its port, or the private network: 10.96.0.0/12:8080.",
    )
    .meta({ examples: [["orders.example.test", "127.0.0.1:9999"]] }),
});
