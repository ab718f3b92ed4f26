/** The one style sheet of the platform's pages: light and dark, 320 pixels and up. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f3f5f7; --card: #ffffff; --ink: #14181c; --soft: #51606d; --line: #8a98a5; --edge: #d9e0e6;
  --go: #0b5cad; --go-ink: #ffffff; --bad: #a8111f; --bad-ground: #fdecee;
  --band: #ffd75e; --band-ink: #2b2100;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1216; --card: #181e24; --ink: #edf1f4; --soft: #a7b4bf; --line: #6c7a86; --edge: #2a333b;
    --go: #7cc0ff; --go-ink: #06192b; --bad: #ff9aa2; --bad-ground: #3a1519;
    --band: #4d3b00; --band-ink: #ffe9a6;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.band {
  padding: .6rem 1rem; background: var(--band); color: var(--band-ink);
  text-align: center; font-size: .9rem;
}
.band strong { margin-right: .35rem; text-transform: uppercase; letter-spacing: .08em; }
main {
  --width: 32rem;
  width: min(var(--width), 100% - 2rem); margin: clamp(1rem, 3vh, 2rem) auto 1rem; padding: clamp(1rem, 5vw, 2rem);
  background: var(--card); border-radius: 1rem; box-shadow: 0 1px 3px rgb(0 0 0 / .2);
  overflow-wrap: anywhere;
}
main.wide { --width: 58rem; }
.sides { display: grid; gap: 1rem 2.5rem; }
@media (min-width: 52rem) {
  .sides { grid-template-columns: 1fr 1fr; align-items: start; }
  .sides > section { padding-left: 2.5rem; border-left: 1px solid var(--edge); }
}
.sides h2:first-child, .sides label:first-of-type { margin-top: 0; }
.people { display: flex; flex-wrap: wrap; gap: .5rem; }
.people button { flex: 0 1 auto; min-height: 2.4rem; padding: .3rem .9rem; border-color: var(--line); color: var(--ink); }
h1 { margin: 0 0 .25rem; font-size: 1.45rem; line-height: 1.25; text-wrap: balance; }
h2 { margin: 1.25rem 0 .25rem; font-size: 1rem; }
p { margin: .5rem 0; }
.soft, footer { color: var(--soft); font-size: .9rem; }
footer { width: min(32rem, 100% - 2rem); margin: 0 auto 2rem; text-align: center; text-wrap: balance; }
.app p { margin: .25rem 0 0; }
.app { display: flex; gap: .85rem; align-items: flex-start; margin-bottom: 1rem; }
.icon {
  flex: none; width: 3rem; height: 3rem; border-radius: .75rem; object-fit: cover;
  display: grid; place-items: center; background: var(--go); color: var(--go-ink);
  font-size: 1.4rem; font-weight: 700;
}
ul { margin: .25rem 0; padding-left: 0; list-style: none; }
li { padding-left: 1.6rem; position: relative; }
li::before { position: absolute; left: .2rem; font-weight: 700; }
.may li::before { content: "+"; }
.may-not li { color: var(--soft); }
.may-not li::before { content: "\\2013"; }
a { color: var(--go); }
label { display: block; margin-top: .85rem; font-weight: 600; }
input:not([type="hidden"]) {
  width: 100%; margin-top: .25rem; padding: .65rem .75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
}
[aria-invalid] { border-color: var(--bad) !important; }
.fault {
  margin: .5rem 0 0; padding: .65rem .85rem; border-radius: .6rem;
  background: var(--bad-ground); color: var(--bad); font-weight: 600;
}
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.35rem; }
button {
  flex: 1 1 auto; min-height: 2.9rem; padding: .6rem 1rem; font: inherit; font-weight: 700;
  border: 1px solid var(--go); border-radius: 999px; cursor: pointer;
  background: transparent; color: var(--go);
}
button.go { background: var(--go); color: var(--go-ink); }
:is(a, button, input):focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
#oauth_pin { display: block; margin: 1rem 0; text-align: center; font: 700 2.2rem/1.3 ui-monospace, monospace; letter-spacing: .15em; }
@media (prefers-contrast: more) { :root { --soft: var(--ink); --line: var(--ink); } }
`;
