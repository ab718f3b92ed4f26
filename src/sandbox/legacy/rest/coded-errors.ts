import { ApiError } from "../../kernel/http/api-error.ts";

/** Errors of the live service's version 1.1, each with its status, code and message. */
const CODED = {
  pageMissing: { status: 404, v1: 34, message: "Sorry, that page does not exist." },
  noUserMatches: { status: 404, v1: 17, message: "No user matches for specified terms." },
  missing: { status: 400, v1: 25, message: "Query parameters are missing." },
  userMissing: { status: 404, v1: 50, message: "User not found." },
  userSuspended: { status: 403, v1: 63, message: "User has been suspended." },
  notOwnList: {
    status: 403,
    v1: 104,
    message: "You aren't allowed to add members to this list.",
  },
  notOnList: {
    status: 404,
    v1: 109,
    message: "The specified user is not a subscriber of this list.",
  },
  listUnnamed: {
    status: 400,
    v1: 112,
    message: "You must specify either a list ID or a slug and owner.",
  },
  recipientMissing: { status: 404, v1: 108, message: "Cannot find specified user." },
  blockedFromUser: {
    status: 401,
    v1: 136,
    message: "You have been blocked from viewing this user's profile.",
  },
  alreadyFavorited: {
    status: 403,
    v1: 139,
    message: "You have already favorited this status.",
  },
  tooManySearches: {
    status: 403,
    v1: 172,
    message: "You already have the maximum number of saved searches.",
  },
  statusMissing: { status: 404, v1: 144, message: "No status found with that ID." },
  followsSelf: { status: 403, v1: 158, message: "You can't follow yourself!" },
  statusHidden: {
    status: 403,
    v1: 179,
    message: "Sorry, you are not authorized to see this status.",
  },
  textMissing: { status: 403, v1: 170, message: "Missing required parameter: status." },
  badQuery: { status: 400, v1: 195, message: "Missing or invalid url parameter." },
  badMedia: { status: 400, v1: 324, message: "The validation of media ids failed." },
  alreadyReposted: { status: 403, v1: 327, message: "You have already retweeted this Tweet." },
  repliedToMissing: {
    status: 403,
    v1: 385,
    message: "You attempted to reply to a Tweet that is deleted or not visible to you.",
  },
} as const;

/** Creates a version 1.1 error from its row in {@link CODED}. */
export function coded(mistake: keyof typeof CODED): ApiError {
  return new ApiError({ ...CODED[mistake], code: `v1_${CODED[mistake].v1}` });
}

/** Creates the error for an invalid parameter. */
export function badParameter(name: string): ApiError {
  return new ApiError({
    status: 400,
    v1: 44,
    code: "v1_44",
    message: `${name} parameter is invalid.`,
  });
}
