/** All commands, as the first page of the help lists them. Generated from the commands themselves. */
export const OVERVIEW = `
Options:
  -V, --version  output the version number
  --no-color  never print colours; the variable NO_COLOR does the same
  -h, --help  display help for command
Bots:
  init [options] [folder]  create a small working project: settings, rules and a TypeScript bot
  dev [options]  run a sandbox and the bot together on this machine
  run [options]  run the bot on the platform in the settings (target: sandbox or live)
  check [options] [files...]  check the settings and rule files without starting the bot
  explain [options] [name]  explain a problem's code, a trigger, step, operator, function or setting
  docs [options] [words...]  search the guide, the reference and the examples
  test [options] [files...]  run the tests of the rules: nothing is sent, and no time passes
  backtest [options]  show what other rules would have sent for the events of the journal; sends nothing
  rules  list the rules, or show what other rules would change
  doctor [options]  check everything the bot depends on, and show how to fix what fails
  status [options]  show the bot's status; where it does not run, what it left
  logs [options]  show the bot's log from its data folder
  open [options] [page]  open the console of the running bot in a browser
  journal [options]  list the events that the bot has received, and what came of them, newest first
  runs [options]  list the runs of rules and bots, and how they ended, newest first
  why [options] [event]  explain the outcome of a received event
  trace [options] [run]  show the runs that an event started: their steps, what they sent, how they ended
  outbox  list the actions of the bot, and settle those that need a person
  escalations  list what rules asked a person to take over, and say that it is done
  answer [options] <person> <text>  answer a person by hand, as the bot's account; it goes through the outbox, once
  pause [options]  keep what comes in, and neither decide nor send until resume, over restarts too
  resume [options]  go on after a pause, or give a person back to the bot and send what is held for them
  reload [options]  have the running bot read its rule files and bot modules again; what is broken goes on as it was
  coverage [options]  show missed events: which time of each account is covered, and its gaps
  verify [options]  compare the stored events and answers with the platform, and list what differs
  replay [options]  let the platform deliver missed events again; what is known is not handled twice
  mcp [options]  serve check, test, why and more to a coding assistant over the Model Context Protocol
A bot's data:
  backup [options]  back up the store, the linked accounts and the sandbox, while the bot runs or not
  restore [options] <file>  bring a backup back; the bot must not run, and what is there is kept aside
  move [options]  move the store from a folder into a PostgreSQL database, or back; no bot may run
  forget [options] <user>  erase what the bot keeps of a person; it can't be undone
Talk to a bot:
  send [options] <person> [text]  send the bot a message as a sandbox user, and print what it answers
  chat [options]  chat with the bot in the terminal as a sandbox user
Sandbox:
  sandbox [options]  run only the sandbox, for any client of the platform
  clock [options] [change] [time]  show or move the sandbox's clock
  fault  inject faults into the sandbox
  snapshot  save and restore the sandbox's data
  events [options]  print what happens in the sandbox until Ctrl-C
  apps  manage the sandbox's developer apps (live apps: use the developer portal)
Platform:
  login [options]  link a bot account: its owner signs in to the platform and approves the app
  accounts  manage the linked bot accounts
  webhooks  manage the app's webhooks; a running bot manages its own
  subscriptions  manage the accounts whose events a webhook receives
  dm  send and list direct messages of an account
  posts  search, show, publish and delete posts
  users  look up users of the platform
  ads  mobile ad measurement: conversions, attribution, event tags, app lists
  api [options] <method> <path>  send any request to the platform with the account's or the app's credentials
Shell:
  completion <shell>  print a shell script that completes commands and options
Commands:
  help [command]  display help for command
`;
