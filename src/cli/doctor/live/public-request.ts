import { lookup } from "node:dns/promises";
import { request } from "node:https";
import type { Listen } from "../../../config/settings.ts";
import { messageOf } from "../../../system/error-message.ts";
import { errorCode } from "../../../system/error-code.ts";

/** Outcome of a request to a public address: the step that failed, or the response. */
export type PublicAnswer =
  | {
      /** Step that failed: the DNS look-up, the connection, or the TLS handshake. */
      readonly step: "resolve" | "connect" | "tls";
      readonly reason: string;
      readonly addresses: readonly string[];
    }
  | {
      readonly step: "answer";
      readonly addresses: readonly string[];
      readonly status: number;
      /** Content type of the response; `location` is the target of its redirect. */
      readonly type: string;
      readonly location: string;
      /** Beginning of the response body. */
      readonly body: string;
      readonly ms: number;
    };

const WITHIN_MS = 10_000;
const BODY_LENGTH = 2_000;

/**
 * Requests a public address as the platform does: by name, over TLS, without following redirects.
 *
 * @param via Address to connect to instead of the resolved one; the certificate must still match the name.
 */
export async function askPublicly(url: URL, via: Listen | undefined): Promise<PublicAnswer> {
  let addresses: readonly string[] = [];
  try {
    addresses =
      via === undefined
        ? (await lookup(url.hostname, { all: true })).map(({ address }) => address)
        : [`${via.host}:${via.port}`];
  } catch (error) {
    return { step: "resolve", reason: reasonOf(error), addresses };
  }
  try {
    return { ...(await answerOf(url, via)), step: "answer", addresses };
  } catch (error) {
    return { step: isTls(error) ? "tls" : "connect", reason: reasonOf(error), addresses };
  }
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly location: string;
  readonly body: string;
  readonly ms: number;
}

function answerOf(url: URL, via: Listen | undefined): Promise<Answer> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        ...(via === undefined ? {} : { hostname: via.host, port: via.port }),
        servername: url.hostname,
        headers: { host: url.host },
        agent: false,
        signal: AbortSignal.timeout(WITHIN_MS),
      },
      (response) => {
        const { statusCode: status = 0, headers } = response;
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          if (body.length < BODY_LENGTH) body += chunk;
        });
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status,
            type: headers["content-type"] ?? "no content type",
            location: headers.location ?? "",
            body: body.slice(0, BODY_LENGTH),
            ms: Math.round(performance.now() - started),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}

const OF_TLS = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_)/;

function isTls(error: unknown): boolean {
  return OF_TLS.test(errorCode(error) ?? "");
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return noAnswer();
  if (errorCode(error) === "ABORT_ERR") return noAnswer();
  const code = errorCode(error) ?? "";
  // Node wraps the errors of several addresses in an error with an empty message
  return messageOf(error) === "" ? code : messageOf(error);
}

function noAnswer(): string {
  return `no answer within ${WITHIN_MS / 1_000} s`;
}
