/** Settings under which the service replaces the original one. */
export const dropIn = { VENDOR_WORD: 'tribe', LANGUAGE_PARAMETER: 'wpml_language', REST_PREFIX: '/wp-json' }
