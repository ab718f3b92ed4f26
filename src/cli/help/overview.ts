/** All commands and options, as the help's front page lists them. Generated from the commands themselves. */
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
  test [options] [files...]  run the tests of the rules; nothing is sent to the platform, and waits take no real time
  backtest [options]  show what other rules would have sent for the events of the journal; sends nothing
  rules  list the rules, or show what other rules would change
  doctor [options]  check everything the bot depends on, and show how to fix what fails
  status [options]  show the bot's status (the last known one if it is not running)
  logs [options]  show the bot's log from its data folder
  open [options] [page]  open the console of the running bot in a browser
  journal [options]  list received events and their outcomes, newest first
  runs [options]  list the runs of rules and bots, and how they ended, newest first
  why [options] [event]  explain the outcome of a received event
  trace [options] [run]  show the runs that an event started: their steps, sent answers and outcome
  outbox  list the actions of the bot, and decide about those that need an operator
  escalations  list conversations handed over to a person, and mark them as resolved
  answer [options] <person> <text>  answer a person yourself, from the bot's account; the answer is sent once
  pause [options]  store events, but decide and send nothing until resume; a pause survives restarts
  resume [options]  end a pause, or answer a person again and send the answers held back for them
  reload [options]  reload rules and bots; files with errors keep their last working version
  coverage [options]  show for which times each account's events were received, and the gaps
  verify [options]  compare stored events and answers with the platform, and list the differences
  replay [options]  have the platform deliver missed events again; no event is handled twice
  mcp [options]  serve check, test, why and more to a coding assistant over the Model Context Protocol
A bot's data:
  backup [options]  back up the store, the linked accounts and the sandbox; works while the bot is running
  restore [options] <file>  restore a backup; the bot must be stopped; existing data is moved to before-restore.TIME in the data folder
  move [options]  move the store from a folder into a PostgreSQL database, or back; stop the bot first
  forget [options] <user>  erase a person's data; this can't be undone
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
  webhooks  manage the app's webhooks; a running bot manages its own webhook itself
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
