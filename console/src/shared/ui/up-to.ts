const charactersOf = (text: string) => [...text];

/**
 * Lets the kit's text fields take at most so many characters, counted as the server counts them: `<Input {...upTo(100)} />`.
 * The browser's own `maxLength` counts what is outside the basic plane (rare Chinese characters among it) twice.
 */
export function upTo(most: number) {
  return {
    count: {
      max: most,
      strategy: (text: string) => charactersOf(text).length,
      exceedFormatter: (text: string, { max }: { max: number }) => charactersOf(text).slice(0, max).join(''),
    },
  };
}
