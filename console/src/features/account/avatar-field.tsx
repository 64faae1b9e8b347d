import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, call, uploadChangeAvatar, uploadRemoveAvatar } from '@/shared/api';
import { failureText } from '@/shared/api/notices';
import { AVATAR, useAvatar } from '@/shared/hooks/use-avatar';

const MAX_BYTES = 4 * 1024 * 1024;

/** The viewer's picture, which is changed at once: it is no part of the form. */
export function AvatarField() {
  const { t } = useTranslation('account');
  const input = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
  const [fault, setFault] = useState('');
  const picture = useAvatar();
  const change = useMutation({
    mutationFn: async (file: File | undefined) => {
      // The generator knows no bytes: they are sent as they are.
      if (file) await call(uploadChangeAvatar({ body: file as unknown as string }));
      else await call(uploadRemoveAvatar({ body: {} }));
      await client.invalidateQueries({ queryKey: AVATAR });
    },
    meta: { quiet: true },
    onMutate: () => setFault(''),
    onError: (error) => setFault(error instanceof ApiError ? failureText(error, 'modify') : String(error)),
  });
  const choose = (file: File | undefined) => {
    if (file && file.size > MAX_BYTES) setFault(t('avatar.tooLarge'));
    else if (file) change.mutate(file);
  };
  return (
    <section className="avatar-field" aria-label={t('avatar.title')}>
      {picture ? <img src={picture} alt={t('avatar.title')} width={64} height={64} /> : null}
      <Button onClick={() => input.current?.click()} loading={change.isPending}>
        {t('avatar.choose')}
      </Button>
      {picture && <Button onClick={() => change.mutate(undefined)}>{t('avatar.remove')}</Button>}
      <input
        ref={input}
        type="file"
        // The kit's forms show what is only `hidden`.
        style={{ display: 'none' }}
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label={t('avatar.choose')}
        onChange={({ target }) => {
          choose(target.files?.[0]);
          // The same file may be chosen again.
          target.value = '';
        }}
      />
      <small>{t('avatar.hint')}</small>
      {fault && <p role="alert">{fault}</p>}
    </section>
  );
}
