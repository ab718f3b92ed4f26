/** A message as the platform delivers it: text with entities, and both people with their profiles. About 2 KB. */
export function messageBody(
  id: number,
  from = String(200 + (id % 500)),
  at = String(1_760_000_000_000 + id),
  to = "100",
): object {
  return {
    for_user_id: to,
    direct_message_events: [
      {
        type: "message_create",
        id: String(id),
        created_timestamp: at,
        message_create: {
          target: { recipient_id: to },
          sender_id: from,
          source_app_id: "3033300",
          message_data: {
            text: `Hello @hello_bot, when do you open on #sunday? I saw https://t.co/Ab3dEf9h1J and asked ${id} times.`,
            entities: {
              hashtags: [{ text: "sunday", indices: [33, 40] }],
              symbols: [],
              user_mentions: [
                {
                  screen_name: "hello_bot",
                  name: "Hello Bot",
                  id: Number(to),
                  id_str: to,
                  indices: [6, 16],
                },
              ],
              urls: [
                {
                  url: "https://t.co/Ab3dEf9h1J",
                  expanded_url: "https://shop.example/opening-hours?from=message",
                  display_url: "shop.example/opening-hours",
                  indices: [48, 71],
                },
              ],
            },
          },
        },
      },
    ],
    apps: { "3033300": { id: "3033300", name: "Web App", url: "https://platform.example" } },
    users: { [from]: profile(from, at), [to]: profile(to, at) },
  };
}

function profile(id: string, at: string): object {
  return {
    id,
    created_timestamp: at,
    name: `Person ${id} with a name of some length`,
    screen_name: `person_${id}`,
    location: "Where the river meets the sea",
    description:
      "Gardens, trains, and bread of every kind. Opinions are my neighbour's; questions are welcome at any time.",
    url: "https://t.co/Zz9yXx8wVv",
    protected: false,
    verified: false,
    followers_count: 1_284,
    friends_count: 311,
    statuses_count: 9_402,
    profile_image_url: `http://images.platform.example/profile_images/13800000000000000${id}/a1B2c3D4_normal.jpg`,
    profile_image_url_https: `https://images.platform.example/profile_images/13800000000000000${id}/a1B2c3D4_normal.jpg`,
  };
}
