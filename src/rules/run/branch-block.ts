/** Key of the block of a branch. */
export function branchBlock(name: string): string {
  return `parallel.${name}`;
}
