CREATE OR REPLACE FUNCTION pg_temp.wallace_near(distance double precision)
RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN distance >= 'Infinity' THEN 0.99
        ELSE least(greatest(distance / (distance + 1.0), 1e-9), 1.0 - 1e-9) END
$$;

CREATE OR REPLACE FUNCTION pg_temp.wallace_texts(operator text, one text, other text)
RETURNS double precision LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    distance double precision := 65536.0 * abs(length(one) - length(other));
    gap integer;
BEGIN
    IF operator = '<>' THEN
        RETURN pg_temp.wallace_near(0.5);
    END IF;
    FOR place IN 1..least(length(one), length(other), 200) LOOP
        gap := abs(ascii(substr(one, place, 1)) - ascii(substr(other, place, 1)));
        IF operator <> '=' AND gap > 0 THEN
            -- Only the first difference decides the order.
            RETURN 0.98 * (1.0 / (1.0 + place)
                - (1.0 / (1.0 + place) - 1.0 / (2.0 + place)) / (1.0 + gap));
        END IF;
        distance := distance + gap;
    END LOOP;
    RETURN pg_temp.wallace_near(distance / 128.0);
END
$$;

CREATE OR REPLACE FUNCTION pg_temp.wallace_distance(
    operator text, one anycompatible, other anycompatible)
RETURNS double precision LANGUAGE plpgsql STABLE AS $$
DECLARE
    kind text := pg_typeof(one)::text;
    gap double precision;
BEGIN
    IF one IS NULL OR other IS NULL THEN
        RETURN 1.0;
    ELSIF kind IN ('smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision') THEN
        gap := abs(one::text::double precision - other::text::double precision);
    ELSIF kind LIKE 'timestamp%' OR kind = 'date' THEN
        gap := abs(extract(epoch FROM one::text::timestamptz)
            - extract(epoch FROM other::text::timestamptz)) / 86400.0;
    ELSE
        RETURN pg_temp.wallace_texts(operator, one::text, other::text);
    END IF;
    IF operator = '<>' THEN
        RETURN 0.99;
    END IF;
    RETURN pg_temp.wallace_near(CASE WHEN operator IN ('<', '>') THEN gap + 1.0 ELSE gap END);
END
$$;

CREATE OR REPLACE FUNCTION pg_temp.wallace_like(one text, pattern text, escape text)
RETURNS double precision LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    -- What stands for any text is taken out; the rest is compared in the best window.
    wanted text := lower(replace(pattern, '%', ''));
    width integer := length(lower(replace(pattern, '%', '')));
    best double precision := 'Infinity';
BEGIN
    IF one IS NULL OR pattern IS NULL THEN
        RETURN 1.0;
    END IF;
    FOR place IN 1..least(greatest(length(one) - width + 1, 1), 100) LOOP
        best := least(best,
            pg_temp.wallace_texts('=', lower(substr(one, place, width)), wanted));
    END LOOP;
    RETURN greatest(best, 1e-9);
END
$$;
