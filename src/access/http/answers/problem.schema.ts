import Type from 'typebox'
import { orEmptyList, recordOf, text, withDescription } from '../schema.ts'

const InnerFault = Type.Object({
  code: text(),
  message: text(),
  data: Type.Unsafe<object | null>({ type: ['object', 'null'] }),
})

const Params = Type.Unsafe<readonly string[] | Readonly<Record<string, string>>>({
  anyOf: [recordOf(Type.String()), Type.Array(Type.String())],
  ...withDescription('Problem.params'),
})

/** The body of every error response (conventions.md §4). */
export const ProblemSchema = Type.Object(
  {
    code: text('Problem.code'),
    message: text('Problem.message'),
    data: Type.Optional(
      Type.Object({
        status: Type.Integer(withDescription('Problem.status')),
        params: Type.Optional(Params),
        details: Type.Optional(orEmptyList(recordOf(InnerFault), 'Problem.details')),
        json_error_code: Type.Optional(Type.Integer(withDescription('Problem.json_error_code'))),
        json_error_message: Type.Optional(text('Problem.json_error_message')),
        term_id: Type.Optional(Type.Integer(withDescription('Problem.term_id'))),
        id: Type.Optional(Type.Integer(withDescription('Problem.id'))),
      }),
    ),
    additional_data: Type.Optional(Type.Array(Type.Integer(), withDescription('Problem.additional_data'))),
  },
  { $id: 'Problem', ...withDescription('Problem') },
)

/** The body of every failure of our own namespace (RFC 9457). */
export const ProblemDetailsSchema = Type.Object(
  {
    type: Type.Literal('about:blank'),
    title: text('Problem.message'),
    status: Type.Integer(withDescription('Problem.status')),
    code: text('Problem.code'),
    errors: Type.Optional(recordOf(Type.String(), 'ProblemDetails.errors')),
    data: Type.Optional(Type.Object({ reason: Type.Optional(text('ProblemDetails.reason')) })),
  },
  { $id: 'ProblemDetails', ...withDescription('Problem') },
)
