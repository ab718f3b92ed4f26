/** Lane with its two sort keys. */
interface HeapPlace {
  readonly lane: string;
  readonly first: number;
  readonly second: number;
}

interface Node extends HeapPlace {
  first: number;
  second: number;
}

/**
 * Lanes sorted by two numbers: a binary heap with an index of each lane's position in the heap.
 *
 * Setting and deleting a lane takes logarithmic time. The time to read the first few lanes depends only on their number.
 */
export class LaneHeap {
  readonly #nodes: Node[] = [];
  readonly #places = new Map<string, number>();

  /** Inserts a lane with the sort keys `first` and `second`, or changes its sort keys. */
  set(lane: string, first: number, second = 0): void {
    const place = this.#places.get(lane);
    if (place === undefined) {
      this.#nodes.push({ lane, first, second });
      this.#up(this.#nodes.length - 1);
      return;
    }
    const node = this.#nodes[place];
    if (node === undefined) return;
    node.first = first;
    node.second = second;
    this.#down(this.#up(place));
  }

  delete(lane: string): void {
    const place = this.#places.get(lane);
    if (place === undefined) return;
    this.#places.delete(lane);
    const last = this.#nodes.pop();
    if (last === undefined || last.lane === lane) return;
    this.#put(last, place);
    this.#down(this.#up(place));
  }

  /** Returns the first lane without removing it. */
  first(): HeapPlace | undefined {
    return this.#nodes[0];
  }

  /** Yields lanes in order, without removing them. Do not change the heap during the iteration. */
  *inOrder(): Generator<HeapPlace, void, undefined> {
    const frontier = new LaneHeap();
    const root = this.#nodes[0];
    if (root === undefined) return;
    frontier.set(root.lane, root.first, root.second);
    for (let next = frontier.#nodes[0]; next !== undefined; next = frontier.#nodes[0]) {
      const place = this.#places.get(next.lane) ?? 0;
      const { lane, first, second } = next;
      yield { lane, first, second };
      frontier.delete(lane);
      for (const child of [2 * place + 1, 2 * place + 2]) {
        const node = this.#nodes[child];
        if (node !== undefined) frontier.set(node.lane, node.first, node.second);
      }
    }
  }

  /** Moves the node at `place` towards the front until the heap is in order. Returns the node's new place. */
  #up(place: number): number {
    const node = this.#nodes[place];
    if (node === undefined) return place;
    let at = place;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = this.#nodes[parentAt];
      if (parent === undefined || !isBefore(node, parent)) break;
      this.#put(parent, at);
      at = parentAt;
    }
    this.#put(node, at);
    return at;
  }

  #down(place: number): void {
    const node = this.#nodes[place];
    if (node === undefined) return;
    let at = place;
    for (;;) {
      const leftAt = 2 * at + 1;
      const [one, other] = [this.#nodes[leftAt], this.#nodes[leftAt + 1]];
      const [child, childAt] =
        one !== undefined && other !== undefined && isBefore(other, one)
          ? [other, leftAt + 1]
          : [one, leftAt];
      if (child === undefined || !isBefore(child, node)) break;
      this.#put(child, at);
      at = childAt;
    }
    this.#put(node, at);
  }

  #put(node: Node, place: number): void {
    this.#nodes[place] = node;
    this.#places.set(node.lane, place);
  }
}

function isBefore(a: Node, b: Node): boolean {
  return a.first < b.first || (a.first === b.first && a.second < b.second);
}
