import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OpenApiVersion, type Schema, writeSchema } from './openapi.schema.ts'

const inVersion = (version: OpenApiVersion, schema: Schema) => writeSchema(schema, version, (key) => `<${key}>`)

const conversions: readonly (readonly [name: string, newer: Schema, older: Schema])[] = [
  ['a type or null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  ['a constant', { const: false }, { enum: [false] }],
  ['examples', { examples: ['a', 'b'] }, { example: 'a' }],
  ['a bound that is left out', { exclusiveMinimum: 0 }, { minimum: 0, exclusiveMinimum: true }],
  ['a reference alone', { $ref: '#/a' }, { $ref: '#/a' }],
  ['a reference with a text', { $ref: '#/a', description: 'key' }, { allOf: [{ $ref: '#/a' }], description: '<key>' }],
  [
    'schemas inside others',
    { anyOf: [{ type: 'array', items: { const: 1 } }], additionalProperties: { const: 2 } },
    { anyOf: [{ type: 'array', items: { enum: [1] } }], additionalProperties: { enum: [2] } },
  ],
]

for (const [name, newer, older] of conversions) {
  test(`OpenAPI 3.0 writes ${name} in its own way`, () => {
    assert.deepEqual(inVersion('3.0.0', newer), older)
  })
}

test('OpenAPI 3.1 writes a schema as it is, with its texts', () => {
  const schema = { type: ['string', 'null'], examples: ['a'], description: 'key' }

  assert.deepEqual(inVersion('3.1.0', schema), { ...schema, description: '<key>' })
})

test('a property called description or const is a property and no keyword', () => {
  const schema = { type: 'object', properties: { description: { type: 'string' }, const: { const: 1 } } }

  assert.deepEqual(inVersion('3.0.0', schema), {
    type: 'object',
    properties: { description: { type: 'string' }, const: { enum: [1] } },
  })
})

test('the name of a schema is left out', () => {
  assert.deepEqual(inVersion('3.1.0', { $id: 'Event', type: 'object' }), { type: 'object' })
})

test('types that OpenAPI 3.0 cannot say are refused', () => {
  assert.throws(() => inVersion('3.0.0', { type: ['string', 'number'] }), /no type list/)
})
