/** Mocks of one test, tried in their order. A mock with `times` is used that many times. */
export class Mocks<Mock extends { readonly times?: number | undefined }> {
  readonly #mocks: readonly Mock[];
  readonly #used = new Map<Mock, number>();

  constructor(mocks: readonly Mock[]) {
    this.#mocks = mocks;
  }

  /** Returns the first mock that fits and is not used up, and counts its use; undefined if there is none. */
  take(fits: (mock: Mock) => boolean): Mock | undefined {
    const mock = this.#mocks.find((one) => this.#isLeft(one) && fits(one));
    if (mock !== undefined) this.#used.set(mock, this.#usesOf(mock) + 1);
    return mock;
  }

  #isLeft(mock: Mock): boolean {
    return mock.times === undefined || this.#usesOf(mock) < mock.times;
  }

  #usesOf(mock: Mock): number {
    return this.#used.get(mock) ?? 0;
  }
}
