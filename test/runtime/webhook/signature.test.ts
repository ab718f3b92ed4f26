import { describe, expect, it, test } from "vitest";
import { SIGNATURE_HEADERS } from "../../../src/protocol/dialects.ts";
import { isSigned, signatureIn, signatureOf } from "../../../src/runtime/webhook/signature.ts";

/** Signature that another program computed: `printf hello | openssl dgst -sha256 -hmac secret -binary | base64`. */
const HELLO = "sha256=iKqz7ejTrflNJquQ07r9SiCDBww7zOnAFO4EpEOEfAs=";

describe("the signature of bytes", () => {
  it("equals the signature of OpenSSL, for text and for bytes", () => {
    expect(signatureOf("hello", "secret")).toBe(HELLO);
    expect(signatureOf(Buffer.from("hello"), "secret")).toBe(HELLO);
  });
});

describe("the signature in a request", () => {
  test.each(Object.values(SIGNATURE_HEADERS))("is read from the header %s", (header) => {
    expect(signatureIn({ headers: { [header]: HELLO } })).toBe(HELLO);
  });

  it("is taken from the newer dialect's header when a request has both", () => {
    const headers = {
      [SIGNATURE_HEADERS.tweet]: HELLO,
      [SIGNATURE_HEADERS.post]: HELLO.toLowerCase(),
    };

    expect(signatureIn({ headers })).toBe(HELLO.toLowerCase());
  });

  it("is read from a header that was sent twice with the same value, which Node joins", () => {
    expect(signatureIn({ headers: { [SIGNATURE_HEADERS.post]: `${HELLO}, ${HELLO}` } })).toBe(
      HELLO,
    );
  });

  test.each([
    { why: "there is no header", value: undefined },
    { why: "it is empty", value: "" },
    { why: "the header came twice", value: [HELLO, HELLO] },
    { why: "the header is a list of one", value: [HELLO] },
    {
      why: "the header came twice with different values",
      value: `${HELLO}, ${HELLO.replace("i", "j")}`,
    },
    { why: "nothing stands behind a comma", value: `${HELLO}, ` },
    { why: "it has no name of the hash", value: HELLO.slice("sha256=".length) },
    { why: "it names another hash", value: HELLO.replace("sha256", "sha512") },
    { why: "it is too short", value: HELLO.replace("As=", "A=") },
    { why: "it is too long", value: HELLO.replace("=", "=A") },
    { why: "it has no padding", value: HELLO.slice(0, -1) },
    { why: "it has more padding", value: `${HELLO}=` },
    { why: "something stands before it", value: ` ${HELLO}` },
    { why: "something stands behind it", value: `${HELLO} ` },
    { why: "it has a character that base64 has not", value: HELLO.replace("7", "-") },
  ])("is missing when $why", ({ value }) => {
    const headers = value === undefined ? {} : { [SIGNATURE_HEADERS.post]: value };

    expect(signatureIn({ headers })).toBeUndefined();
  });
});

describe("a request is signed", () => {
  test.each([
    { why: "the secret is the only one", secrets: ["secret"], signed: true },
    { why: "the secret is the first", secrets: ["secret", "older"], signed: true },
    { why: "the secret is the last", secrets: ["newer", "secret"], signed: true },
    { why: "all secrets are others", secrets: ["newer", "older"], signed: false },
    { why: "there is no secret", secrets: [], signed: false },
  ])("$signed, when $why", ({ secrets, signed }) => {
    expect(isSigned("hello", HELLO, secrets)).toBe(signed);
  });

  it("by its own bytes only", () => {
    expect(isSigned("Hello", HELLO, ["secret"])).toBe(false);
    expect(isSigned("hello", HELLO.slice(0, -1), ["secret"])).toBe(false);
  });
});
