"""tweepy, unmodified, against the sandbox: what its manual shows first."""

import json
import sys
import tempfile
import time

import tweepy

from loopback import lead
from report import equal, run

stage = json.loads(sys.argv[1])
ME, FRIEND = stage["bot"], stage["person"]
KEYS = [stage["consumer_key"], stage["consumer_secret"], ME["access_token"], ME["access_token_secret"]]

me = tweepy.Client(stage["bearer_token"], *KEYS)
friend = tweepy.Client(None, *KEYS[:2], FRIEND["access_token"], FRIEND["access_token_secret"])
for client in (me, friend):
    lead(client.session, stage["url"])
old = tweepy.API(tweepy.OAuth1UserHandler(*KEYS))
lead(old.session, stage["url"])
made = {}


def log_in():
    handler = tweepy.OAuth1UserHandler(*KEYS[:2], callback="oob")
    lead(handler.oauth, stage["url"])
    address = handler.get_authorization_url()
    assert "oauth_token=" in address, address


def who_am_i():
    equal(me.get_me().data.username, "hello_bot")


def post():
    made["post"] = me.create_tweet(text="R&D is <open>").data["id"]
    found = me.get_tweet(made["post"], tweet_fields=["created_at", "public_metrics"], expansions=["author_id"])
    equal(found.data.text, "R&amp;D is &lt;open&gt;")
    equal(found.includes["users"][0].username, "hello_bot")


def reply_and_quote():
    made["reply"] = friend.create_tweet(text="hello", in_reply_to_tweet_id=made["post"]).data["id"]
    friend.create_tweet(text="look", quote_tweet_id=made["post"])
    equal(me.get_tweet(made["post"], tweet_fields=["public_metrics"]).data.public_metrics["quote_count"], 1)
    me.hide_reply(made["reply"])


def poll():
    made["poll"] = me.create_tweet(text="which?", poll_options=["a", "b"], poll_duration_minutes=60).data["id"]


def search():
    found = me.search_recent_tweets("hello", max_results=10, tweet_fields=["author_id"])
    equal([str(one.id) for one in found.data], [made["reply"]])


def counts():
    total = me.get_recent_tweets_count("hello").meta["total_tweet_count"]
    equal(total, 1)


def pages():
    for number in range(6):
        me.create_tweet(text=f"page {number}")
    pages_of = tweepy.Paginator(me.get_users_tweets, ME["id"], max_results=5)
    equal(len([one for one in pages_of.flatten(limit=8)]), 8)


def people():
    equal(me.get_user(username="alice").data.id, int(FRIEND["id"]))
    equal(len(me.get_users(ids=[ME["id"], FRIEND["id"]]).data), 2)


def likes_and_reposts():
    friend.like(made["post"])
    friend.retweet(made["post"])
    equal([one.username for one in me.get_liking_users(made["post"], user_auth=True).data], ["alice"])
    equal([one.username for one in me.get_retweeters(made["post"]).data], ["alice"])
    friend.unlike(made["post"])
    friend.unretweet(made["post"])


def follows():
    friend.follow_user(ME["id"])
    equal([one.username for one in me.get_users_followers(ME["id"]).data], ["alice"])
    friend.unfollow_user(ME["id"])


def bookmarks():
    user = tweepy.Client(stage["user_bearer"])
    lead(user.session, stage["url"])
    user.bookmark(made["post"])
    equal([str(one.id) for one in user.get_bookmarks().data], [made["post"]])
    user.remove_bookmark(made["post"])


def lists():
    kept = me.create_list("friends", description="of the bot").data["id"]
    me.add_list_member(kept, FRIEND["id"])
    equal([one.username for one in me.get_list_members(kept).data], ["alice"])
    me.delete_list(kept)


def messages():
    me.create_direct_message(participant_id=FRIEND["id"], text="hi")
    found = me.get_direct_message_events(participant_id=FRIEND["id"])
    equal([one.text for one in found.data], ["hi"])


def refusals():
    try:
        me.get_tweet(1234567890123456789)
    except tweepy.NotFound:
        pass
    try:
        me.create_tweet(text="R&D is <open>")
        raise AssertionError("a duplicate was taken")
    except tweepy.Forbidden as error:
        assert "duplicate" in str(error), error


def old_timeline():
    equal(old.verify_credentials().screen_name, "hello_bot")
    status = old.update_status("by the older way")
    equal(old.get_status(status.id, tweet_mode="extended").full_text, "by the older way")
    assert status.id in [one.id for one in old.user_timeline()]
    old.destroy_status(status.id)


def old_picture():
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        file.write(bytes.fromhex(stage["picture"]))
        file.flush()
        picture = old.media_upload(file.name)
    old.create_media_metadata(picture.media_id, "a dot")
    shown = me.create_tweet(text="a picture", media_ids=[picture.media_id]).data["id"]
    found = me.get_tweet(shown, expansions=["attachments.media_keys"], media_fields=["alt_text"])
    equal(found.includes["media"][0].alt_text, "a dot")


def old_video():
    with tempfile.NamedTemporaryFile(suffix=".mp4") as file:
        file.write(bytes.fromhex(stage["video"]))
        file.flush()
        video = old.chunked_upload(file.name, file_type="video/mp4", media_category="tweet_video")
    me.create_tweet(text="a video", media_ids=[video.media_id])


def old_messages():
    sent = old.send_direct_message(FRIEND["id"], "by the older way")
    equal(old.get_direct_message(sent.id).message_create["message_data"]["text"], "by the older way")


def stream():
    class Listener(tweepy.StreamingClient):
        def on_tweet(self, tweet):
            made["heard"] = tweet.text
            self.disconnect()

        def on_connect(self):
            friend.create_tweet(text="a word for the stream")

    listener = Listener(stage["bearer_token"], max_retries=1)
    lead(listener.session, stage["url"])
    listener.add_rules(tweepy.StreamRule("stream", tag="streams"))
    listener.filter(threaded=True)
    until = time.monotonic() + 10
    while "heard" not in made and time.monotonic() < until:
        time.sleep(0.05)
    listener.disconnect()
    equal(made.get("heard"), "a word for the stream")


CALLS = [
    log_in, who_am_i, post, reply_and_quote, poll, search, counts, pages, people, likes_and_reposts, follows,
    bookmarks, lists, messages, refusals, old_timeline, old_picture, old_video, old_messages, stream,
]
run(f"tweepy {tweepy.__version__}", [(call.__name__, call) for call in CALLS])
