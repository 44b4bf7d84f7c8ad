// function notThis() {}
import { a } from './a'

const fs = require('fs')
const LIMIT = 10
let state = {}, re = /["'`{]/g
export const sum = (a, b) => a + b
const curried = async x => {
  const local = 1
  const inner = () => local
  return inner
}

/** Loads. */
export default async function load(url, { retries = 3 } = {}) {
  if (url) {
    await fetch(url)
  }
  describe('not a definition', () => {
    it('runs', function () {})
  })
  return `text ${url ? `inner ${'}'}` : ''}
  function fake() {}
  class Fake {}
  `
}

function* walk(tree) { yield tree }

class Shape extends Base {
  #sides = 3
  static count = 0
  handler = (e) => { this.e = e }

  constructor(name) {
    super(name)
  }

  static of(...args) { return new Shape(args) }
  get area() { return this.#sides / 2 }
  async *items() { }
  #secret() {}
}

const Other = class extends Shape {}

Shape.prototype.draw = function () {}
module.exports = {
  open(path) {
    return path / 2 / 3
  },
  close: function () {},
  'quoted-name': () => {},
  LIMIT,
}
exports.helper = function helper() {}
