import { example, type Explanation } from "../../../rules/example.ts";

/** A rule that reads a secret, with a fallback if it is not set. */
const SHOP_KEY = example`
  version: 1
  rules:
    - id: orders
      triggers: [dm.received]
      actions:
        - http:
            url: https://orders.example.test/
            headers: { authorization: "\${{ has(secrets.ORDERS_TOKEN) ? secrets.ORDERS_TOKEN : 'none' }}" }
`;

/** Explanations of problems with sending, and with requests to services and modules. */
export const SENDING_EXPLAINED = {
  "body-without-use": {
    why: "GET and HEAD requests have no body, so it would not be sent.",
    wrong: example`
      actions:
        - http: { url: "https://orders.example.test/", json: { id: 1 } }
    `,
    right: example`
      actions:
        - http: { method: POST, url: "https://orders.example.test/", json: { id: 1 } }
    `,
  },
  "secret-reserved": {
    why: "Variables that begin with ANSWERBACK_, and credentials such as the consumer secret, belong to the bot itself: they give access to its accounts.",
    wrong: example`
      actions:
        - http:
            url: https://orders.example.test/
            headers: { authorization: "Bearer \${{ secrets.ANSWERBACK_KEY }}" }
    `,
    right: example`
      actions:
        - http:
            url: https://orders.example.test/
            headers: { authorization: "Bearer \${{ secrets.ORDERS_TOKEN }}" }
    `,
  },
  "secret-not-listed": {
    why: "If the settings have a list of secrets, rules can read only these, so that an edited rule can't read other environment variables.",
    wrong: {
      "config/answerback.yaml": "version: 1\nsecrets: [OTHER_TOKEN]\n",
      "config/rules/orders.yaml": SHOP_KEY,
    },
    right: {
      "config/answerback.yaml": "version: 1\nsecrets: [ORDERS_TOKEN]\n",
      "config/rules/orders.yaml": SHOP_KEY,
    },
  },
  "call-target": {
    why: "The step would fail for every event. check imports the module to find its exports, and calls none of its functions.",
    wrong: {
      "rules/codes.yaml": example`
        version: 1
        rules:
          - id: codes
            triggers: [dm.received]
            actions:
              - call: ./codes.ts#reedem
      `,
      "rules/codes.ts": example`
        export async function redeem() { return "ok"; }
      `,
    },
    right: {
      "rules/codes.yaml": example`
        version: 1
        rules:
          - id: codes
            triggers: [dm.received]
            actions:
              - call: ./codes.ts#redeem
      `,
      "rules/codes.ts": example`
        export async function redeem() { return "ok"; }
      `,
    },
  },
  "conversion-value": {
    why: "The measurement interface would reject the conversion, and nothing would be measured.",
    wrong: example`
      actions:
        - report_conversion:
            app_id: "7"
            conversion_type: SIGNUP
            conversion_time: \${{ event.time }}
            os_type: IOS
            hashed_device_id: \${{ state.sender.device.orValue("") }}
    `,
    right: example`
      actions:
        - report_conversion:
            app_id: "7"
            conversion_type: SIGN_UP
            conversion_time: \${{ event.time }}
            os_type: IOS
            hashed_device_id: \${{ state.sender.device.orValue("") }}
    `,
  },
  "http-host": {
    why: "A person could choose which server receives the request. Put values of the event after the host, in the path or the query.",
    wrong: example`
      actions:
        - http: { url: "https://\${{ url(message.text) }}.example.test/" }
    `,
    right: example`
      actions:
        - http: { url: "https://orders.example.test/\${{ url(message.text) }}" }
    `,
  },
  "two-lookups": {
    why: "A lookup returns one user, one post or one attribution.",
    wrong: example`
      triggers: [post.mentioned]
      actions:
        - lookup: { user: "\${{ sender.id }}", post: "\${{ post.id }}" }
    `,
    right: example`
      triggers: [post.mentioned]
      actions:
        - lookup: { user: "\${{ sender.id }}" }
        - lookup: { post: "\${{ post.id }}" }
    `,
  },
  "field-not-requested": {
    why: "The platform returns only the fields that a lookup requests.",
    wrong: example`
      actions:
        - id: author
          lookup: { user: "\${{ sender.id }}", fields: [description] }
        - reply_dm: You joined on \${{ steps.author.result.created_at }}.
    `,
    right: example`
      actions:
        - id: author
          lookup: { user: "\${{ sender.id }}", fields: [description, created_at] }
        - reply_dm: You joined on \${{ steps.author.result.created_at }}.
    `,
  },
  "http-url": {
    why: "Requests use HTTP or HTTPS, and the URL must be complete.",
    wrong: example`
      actions:
        - http: { url: orders.example.test }
    `,
    right: example`
      actions:
        - http: { url: "https://orders.example.test/" }
    `,
  },
  "lang-without-say": {
    why: "A text in the step has one language. Only the texts under `texts` have several languages to choose from.",
    wrong: example`
      actions:
        - reply_dm: { text: Hallo, lang: de }
    `,
    right: example`
      actions:
        - reply_dm: { text: Hallo }
    `,
  },
  "media-file": {
    why: "The platform would reject the file, and the person would get nothing. check reads media files together with the rules.",
    wrong: {
      "rules/hours.yaml": example`
        version: 1
        rules:
          - id: hours
            triggers: [dm.received]
            actions:
              - reply_dm: { text: Our hours, media: hours.bmp }
      `,
      "rules/hours.bmp": "BM",
    },
    right: {
      "rules/hours.yaml": example`
        version: 1
        rules:
          - id: hours
            triggers: [dm.received]
            actions:
              - reply_dm: { text: Our hours, media: hours.gif }
      `,
      "rules/hours.gif": "GIF89a\u0001\0\u0001\0\0\0\0;",
    },
  },
  "poll-value": {
    why: "The platform accepts a poll that lasts 5 minutes to 7 days and has options of up to 25 characters. A post has either a poll or media. create_post and reply_post may have a poll, and reply if all triggers of its rule are posts; messages, quotes and questions have none.",
    wrong: example`
      triggers:
        - { trigger: schedule, cron: "0 15 * * fri", zone: Europe/Berlin }
      actions:
        - create_post: { text: Which soup on Monday?, poll: { options: [Tomato, Lentil], duration: 14d } }
    `,
    right: example`
      triggers:
        - { trigger: schedule, cron: "0 15 * * fri", zone: Europe/Berlin }
      actions:
        - create_post: { text: Which soup on Monday?, poll: { options: [Tomato, Lentil], duration: 2d } }
    `,
  },
  "post-too-long": {
    why: "A post has at most 280 weighted characters. By default, a longer text becomes a thread. With long: cut it is cut off, and with long: fail it is not published. For long: fail, check assumes the longest possible names.",
    wrong: example`
      triggers: [post.mentioned]
      actions:
        - reply_post: { third_parties: inert, long: fail, text: "\${{ sender.name }}, thank you for writing to us! We have passed your question on to the people who know most about it, and one of them looks into it as soon as they can. Until then you may find an answer on our page of questions that people ask us most often." }
    `,
    right: example`
      triggers: [post.mentioned]
      actions:
        - reply_post: { third_parties: inert, long: fail, text: "\${{ sender.name.truncate(20) }}, thank you for writing to us! We have passed your question on to the people who know most about it, and one of them looks into it as soon as they can. Until then you may find an answer on our page of questions that people ask us most often." }
    `,
  },
  "two-bodies": {
    why: "A request has only one body.",
    wrong: example`
      actions:
        - http: { method: PUT, url: "https://orders.example.test/", json: { id: 1 }, body: id=1 }
    `,
    right: example`
      actions:
        - http: { method: PUT, url: "https://orders.example.test/", json: { id: 1 } }
    `,
  },
  "unescaped-value": {
    why: "A person who writes `x&to=me` would add a field to the form. In JSON, a quotation mark ends the text.",
    wrong: example`
      actions:
        - http:
            method: POST
            url: https://orders.example.test/
            headers: { content-type: application/x-www-form-urlencoded }
            body: text=\${{ message.text }}
    `,
    right: example`
      actions:
        - http:
            method: POST
            url: https://orders.example.test/
            headers: { content-type: application/x-www-form-urlencoded }
            body: text=\${{ url(message.text) }}
    `,
  },
  "two-texts": {
    why: "One of the two texts would not be sent.",
    wrong: example`
      version: 1
      texts: { hours: We open at nine. }
      rules:
        - id: example
          triggers: [dm.received]
          actions: [{ reply_dm: { text: At nine., say: hours } }]
    `,
    right: example`
      version: 1
      texts: { hours: We open at nine. }
      rules:
        - id: example
          triggers: [dm.received]
          actions: [{ reply_dm: { say: hours } }]
    `,
  },
} as const satisfies Readonly<Record<string, Explanation>>;
