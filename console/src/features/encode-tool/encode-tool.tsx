import { useMutation } from '@tanstack/react-query';
import { Button, Input, Space } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, encodeToolDecode, encodeToolEncode } from '@/shared/api';
import { ApiError } from '@/shared/api/errors';
import { notify } from '@/shared/lib/notices';
import { CopyButton } from '@/shared/ui/copy-button';
import { isDecodable } from './decodable';
import './encode-tool.css';

const ROWS = 8;

const verbs = { encode: encodeToolEncode, decode: encodeToolDecode } as const;
type Verb = keyof typeof verbs;

/** Only the answer to the last press counts. What the server refuses is passed over, as the specification wants. */
function useEncoding(onOutput: (output: string) => void) {
  return useMutation({
    mutationFn: ({ verb, input }: { verb: Verb; input: string }) =>
      call(verbs[verb]({ body: { inputStr: input } })),
    meta: { quiet: true },
    onSuccess: onOutput,
    onError: (error) => {
      if (error instanceof ApiError && !error.isRefusal) notify('error', error.message);
    },
  });
}

/** Encrypts text with the installation's key, and decrypts what was encrypted so. */
export function EncodeTool() {
  const { t } = useTranslation('encode-tool');
  const [input, setInput] = useState('');
  const [output, setOutput] = useState('');
  const [inputId, outputId] = [useId(), useId()];
  const { mutate, isPending, reset } = useEncoding(setOutput);

  function decode(): void {
    if (isDecodable(input)) mutate({ verb: 'decode', input });
    else notify('warning', t('notDecodable'));
  }

  function clear(): void {
    reset();
    setInput('');
    setOutput('');
  }

  return (
    <div className="encode-tool">
      <label htmlFor={inputId}>{t('input')}</label>
      <Input.TextArea
        id={inputId}
        value={input}
        rows={ROWS}
        spellCheck={false}
        onChange={({ target }) => setInput(target.value)}
      />
      <Space>
        <Button type="primary" loading={isPending} onClick={() => mutate({ verb: 'encode', input })}>
          {t('encode')}
        </Button>
        <Button disabled={isPending} onClick={decode}>
          {t('decode')}
        </Button>
        <Button onClick={clear}>{t('clear')}</Button>
      </Space>
      <div className="encode-tool-line">
        <label htmlFor={outputId}>{t('output')}</label>
        {output !== '' && <CopyButton text={output} label={t('copy')} />}
      </div>
      <Input.TextArea id={outputId} value={output} rows={ROWS} readOnly spellCheck={false} />
    </div>
  );
}
