/** `rule hours` of a run's owner `rule:hours`. */
export function ownerInWords({ owner }: { readonly owner: string }): string {
  return owner.replace(":", " ").replace(/#.*$/, "");
}
