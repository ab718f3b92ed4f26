import { describe, expect, test } from "vitest";
import { hint, shownField, shownHeaders, shownText } from "../../../src/sandbox/control/redact.ts";

const LONG = "0123456789-abcdef";

describe("a secret", () => {
  test.each([
    { length: 11, shown: "…" },
    { length: 12, shown: "…xxxx" },
  ])("of $length characters is shown as $shown", ({ length, shown }) => {
    expect(hint("x".repeat(length))).toBe(shown);
  });

  test.each([
    { text: `client_secret=${LONG}&grant_type=code`, shown: "client_secret=…cdef&grant_type=code" },
    { text: `/x?a=1&access_token=${LONG}`, shown: "/x?a=1&access_token=…cdef" },
    { text: `session%5Bpassword%5D=${LONG}`, shown: "session%5Bpassword%5D=…cdef" },
    { text: `{"bearer_token": "${LONG}"}`, shown: '{"bearer_token": "…cdef"}' },
    { text: `{"token":"a\\"${LONG}"}`, shown: '{"token":"…cdef"}' },
    {
      text: `<input name="authenticity_token" value="${LONG}">`,
      shown: '<input name="authenticity_token" value="…cdef">',
    },
  ])("is hidden in: $text", ({ text, shown }) => {
    expect(shownText(text)).toBe(shown);
  });

  test.each([
    "text=token&status=token",
    "next_token=7140dibdnow9c7btw4827c3yb0pfg7mg8qq12dn59cb13",
    "oauth_token=1-abcdefghijkl&oauth_consumer_key=abcdefghijkl",
    '{"text":"my password is in this text","code_name":"0123456789abc"}',
    '{"errors":[{"code":32,"message":"Could not authenticate you."}]}',
    '<input name="username" value="0123456789abc">',
    "a=b=c&&=&x",
    "",
  ])("is none in: %s", (text) => {
    expect(shownText(text)).toBe(text);
  });

  test.each([
    { name: "code", value: LONG, shown: "…cdef" },
    { name: "OAUTH_VERIFIER", value: LONG, shown: "…cdef" },
    { name: "oauth_token", value: LONG, shown: LONG },
    { name: "state", value: LONG, shown: LONG },
  ])("is the field $name: $shown", ({ name, value, shown }) => {
    expect(shownField([name, value])).toEqual([name, shown]);
  });
});

describe("a header", () => {
  test.each([
    { header: "authorization", value: `Bearer ${LONG}`, shown: "Bearer …cdef" },
    { header: "Authorization", value: LONG, shown: "…cdef" },
    {
      header: "proxy-authorization",
      value: `Basic ${btoa(`key:${LONG}`)}`,
      shown: "Basic (key:…cdef)",
    },
    { header: "authorization", value: `Basic ${btoa("nothing")}`, shown: "Basic …" },
    { header: "cookie", value: `a=${LONG}; b=${LONG}`, shown: "a=…cdef; b=…cdef" },
    {
      header: "set-cookie",
      value: `a=${LONG}; Path=/; Max-Age=60`,
      shown: "a=…cdef; Path=/; Max-Age=60",
    },
    { header: "location", value: `/cb?code=${LONG}&state=s`, shown: "/cb?code=…cdef&state=s" },
  ])("$header hides what is secret: $shown", ({ header, value, shown }) => {
    expect(shownHeaders({ [header]: value })).toEqual({ [header]: shown });
  });

  test.each([
    {
      header: "authorization",
      value: 'OAuth oauth_consumer_key="k", oauth_nonce="n", oauth_token="1-a"',
    },
    { header: "content-type", value: "application/json; charset=utf-8" },
    { header: "user-agent", value: "bot/1.0 (token)" },
    { header: "x-rate-limit-remaining", value: "14" },
  ])("$header is shown as it is: $value", ({ header, value }) => {
    expect(shownHeaders({ [header]: value })).toEqual({ [header]: value });
  });
});
