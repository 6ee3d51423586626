// What went wrong, where it went wrong; read out at once.
export const Problem = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p className="problem" role="alert">
      {text}
    </p>
  );
