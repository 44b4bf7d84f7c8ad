import type { A } from './a'

/* interface NotThis {} */
export type Options<T> = { url: string; retry?: number } | T
export interface Client<T = unknown> extends Base {
  name: string
  get(url: string): Promise<T>
  on: (event: string) => void
  new (x: number): Client
}

export const enum Level { Low, High = 2 }
declare module 'x' {
  export function augmented(a: string): void
}
declare const GLOBAL: string
namespace App.Models {
  export class User {}
}

export function parse(a: string): string
export function parse(a: number): number
export function parse(a: any): any {
  return a
}

export const handler = async <T,>(req: Request, res: Response): Promise<void> => {
  const local = (x: number): number => x / 2
  res.send(`type Fake = ${local(1)}
interface Fake {}`)
}
export const typed: Handler<string> = (x) => x
const LIMIT: number = 10
let plain: { a: string } = { a: 'x' }

@Injectable({ scope: 'x' })
export abstract class Service<T extends object> implements Client {
  private readonly items: Map<string, T> = new Map()
  static #count = 0
  onClick = (e: Event): void => {
    this.run(e)
  }

  constructor(
    private readonly http: Http,
    public name = 'x',
  ) {
    super()
  }

  run(a: string): void;
  run(a: any): void {
    if (a) { this.run(a) }
  }

  protected abstract load<K extends keyof T>(key: K): Promise<T[K]>;
  @Input() set value(v: string) { }
  async *stream(): AsyncGenerator<T> { }
}

export default class extends Service<object> {
  override load() { return null as any }
}
