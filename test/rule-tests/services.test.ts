import { describe, expect, it } from "vitest";
import { reports, runTests } from "./support.ts";

describe("tests of rules that ask services", () => {
  const ORDERS = `
    - id: orders
      triggers: [dm.received]
      actions:
        - typing: 2s
        - id: lookup
          http:
            method: POST
            url: https://orders.example.test/v2/find
            headers: {authorization: "Bearer \${{ secrets.ORDERS_TOKEN }}"}
            json: {number: "\${{ message.text }}"}
            expect_status: [200, 404]
          continue_on_error: true
        - if: steps.lookup.ok && steps.lookup.status == 200
          then: [{reply_dm: "It is \${{ steps.lookup.json.state }}."}]
          else: [{reply_dm: "No: \${{ steps.lookup.error.orValue(string(steps.lookup.status)) }}"}]
  `;

  const FIND = "https://orders.example.test/v2/find";

  it("answer instead of services, and expect the requests", async () => {
    const outcome = await runTests(
      ORDERS,
      `
      - name: found
        http:
          - {match: {url: {starts_with: "https://orders."}, body: {contains: A12345}}, respond: {json: {state: shipped}}}
        events: [{dm.received: {from: ann, text: A12345}}]
        expect:
          - {at: 0s, typing: {to: ann, for: 2s}}
          - {at: 2s, rule: orders, http: {method: POST, url: {ends_with: /find}, body: '{"number":"A12345"}'}}
          - {at: 2s, reply_dm: {to: ann, text: It is shipped.}}
      - name: a status that is not an error to the rule
        http: [{match: {url: "${FIND}"}, respond: {status: 404}}]
        events: [{dm.received: {from: ann, text: A12345}}]
        expect: [{http: {}}, {reply_dm: {text: "No: 404"}}]
      - name: a status that is one
        http: [{match: {url: "${FIND}", method: POST}, respond: {status: 500, body: sorry}}]
        events: [{dm.received: {from: ann, text: A12345}}]
        expect: [{http: {}}, {reply_dm: {text: "No: answered with 500"}}]
      - name: nobody answers, and then somebody does
        http:
          - {match: {url: "${FIND}"}, respond: {fail: timeout}, times: 1}
          - {match: {url: "${FIND}"}, respond: {json: {state: packed}}}
        events:
          - {at: 0s, dm.received: {from: ann, text: A1}}
          - {at: 1m, dm.received: {from: ann, text: A1}}
        expect:
          - {http: {}}
          - {at: 2s, reply_dm: {text: "No: no answer in time"}}
          - {http: {}}
          - {at: 62s, reply_dm: {text: It is packed.}}
      `,
    );

    expect(reports(outcome)).toEqual(["passed", "passed", "passed", "passed"]);
  });

  it("fail for a request without an answer, with the entry to add, and for an unexpected one", async () => {
    const [unmocked, unexpected] = reports(
      await runTests(
        ORDERS,
        `
        - name: no service
          http: [{match: {url: "https://elsewhere.example.test/"}, respond: {}}]
          events: [{dm.received: {from: ann, text: A1}}]
          expect: [{http: {}}, {reply_dm: {}}]
        - name: not expected
          http: [{match: {url: "${FIND}"}, respond: {status: 404}}]
          events: [{dm.received: {from: ann, text: A1}}]
          expect: [{reply_dm: {}}]
        `,
      ),
    );

    expect(unmocked).toContain(
      `✗ no mock answers POST ${FIND}: write in the test  ` +
        `http: [{match: {url: "${FIND}", method: POST}, respond: {status: 200, json: {}}}]`,
    );
    expect(unexpected).toMatch(/\(not expected\) +\| 2s {4}orders http method "POST"/);
  });

  it("can expect a typing pause, and may leave it out", async () => {
    const [first, other] = reports(
      await runTests(
        ORDERS,
        `
        - name: the pause
          http: [{match: {url: "${FIND}"}, respond: {status: 404}}]
          events: [{dm.received: {from: ben, text: A1}}]
          expect: [{at: 0s, typing: {to: ben}}, {http: {}}, {reply_dm: {}}]
        - name: another pause
          http: [{match: {url: "${FIND}"}, respond: {status: 404}}]
          events: [{dm.received: {from: ben, text: A1}}]
          expect: [{typing: {for: 3s}}, {http: {}}, {reply_dm: {}}]
        `,
      ),
    );

    expect(first).toBe("passed");
    expect(other).toMatch(/✗ +typing for "3s" +\| 0s {4}orders typing to ben, for "2s"/);
  });
});
