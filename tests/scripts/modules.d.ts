// What esbuild, and browser.ts in tests, make of a style sheet.
declare module "*.css" {
  const text: string;
  export default text;
}

// Of Node and happy-dom, what tests use: their own types would change those of a browser, such as `setTimeout`.
declare module "node:test" {
  type Act = () => unknown;
  export function test(name: string, act: Act): void;
  export function beforeEach(act: Act): void;
  export function afterEach(act: Act): void;
  export const mock: {
    method(of: object, name: string, act: Act): void,
    timers: { enable(options: { apis: string[] }): void, reset(): void, tick(milliseconds: number): void },
  };
}
declare module "node:assert/strict" {
  const assert: {
    equal(one: unknown, other: unknown, message?: string): void,
    deepEqual(one: unknown, other: unknown, message?: string): void,
    ok(value: unknown, message?: string): void,
  };
  export default assert;
}
declare module "node:fs" {
  export function readFileSync(path: URL, encoding: string): string;
}
declare module "node:module" {
  type Context = { parentURL?: string };
  export function registerHooks(hooks: {
    resolve(specifier: string, context: Context, next: (specifier: string, context: Context) => object): object,
    load(address: string, context: object, next: (address: string, context: object) => object): object,
  }): void;
}
declare module "@happy-dom/global-registrator" {
  export const GlobalRegistrator: { register(options: { url: string, width: number, height: number }): void };
}
