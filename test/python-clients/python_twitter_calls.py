"""python-twitter, unmodified, against the sandbox: version 1.1 alone. Its messages are those of an interface that ended in 2018."""

import json
import sys

import twitter

from report import equal, run

stage = json.loads(sys.argv[1])
ME, FRIEND = stage["bot"], stage["person"]


def client(user):
    return twitter.Api(
        stage["consumer_key"],
        stage["consumer_secret"],
        user["access_token"],
        user["access_token_secret"],
        base_url=stage["url"] + "/1.1",
        upload_url=stage["url"] + "/1.1",
        tweet_mode="extended",
    )


me, friend = client(ME), client(FRIEND)
made = {}


def who_am_i():
    equal(me.VerifyCredentials().screen_name, "hello_bot")


def post():
    made["post"] = me.PostUpdate("from python").id
    equal(me.GetStatus(made["post"]).full_text, "from python")


def reply():
    answer = friend.PostUpdate("@hello_bot hello", in_reply_to_status_id=made["post"])
    equal(me.GetMentions()[0].id, answer.id)


def timelines():
    equal(me.GetUserTimeline(screen_name="hello_bot")[0].id, made["post"])
    assert made["post"] in [one.id for one in me.GetHomeTimeline()]


def search():
    equal([one.id for one in me.GetSearch("python")], [made["post"]])


def people():
    equal(me.GetUser(screen_name="alice").id, int(FRIEND["id"]))
    equal(len(me.UsersLookup(user_id=[ME["id"], FRIEND["id"]])), 2)


def favorites():
    friend.CreateFavorite(status_id=made["post"])
    equal([one.id for one in friend.GetFavorites()], [made["post"]])
    friend.DestroyFavorite(status_id=made["post"])


def friendships():
    friend.CreateFriendship(user_id=ME["id"])
    equal(me.GetFollowerIDs(), [int(FRIEND["id"])])
    friend.DestroyFriendship(user_id=ME["id"])


def reposts():
    friend.PostRetweet(made["post"])
    equal(me.GetStatus(made["post"]).retweet_count, 1)


def rate_limits():
    me.InitializeRateLimit()
    assert me.rate_limit.get_limit("/statuses/show/:id").limit > 0


def delete():
    equal(me.DestroyStatus(made["post"]).id, made["post"])


def refusals():
    try:
        me.GetStatus(made["post"])
        raise AssertionError("a deleted post was shown")
    except twitter.TwitterError as error:
        equal(error.message[0]["code"], 144)


CALLS = [
    who_am_i, post, reply, timelines, search, people, favorites, friendships, reposts, rate_limits,
    delete, refusals,
]
run(f"python-twitter {twitter.__version__}", [(call.__name__, call) for call in CALLS])
