/**
 * Makes a function of a text keep its last few answers, since several extractors ask the same about one text in a row.
 * Answers are shared, so they must not be changed.
 */
export function remember<Answer>(ask: (text: string) => Answer, kept: number): (text: string) => Answer {
  const answers: { readonly text: string; readonly answer: Answer }[] = [];
  let next = 0;
  return (text) => {
    for (const known of answers) if (known.text === text) return known.answer;
    const answer = ask(text);
    answers[next] = { text, answer };
    next = (next + 1) % kept;
    return answer;
  };
}
