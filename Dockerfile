# The app in a container: a Space of the Hub runs this, and so does `docker run` on any machine; the README tells how.
FROM python:3.11-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7

# No pip cache in the image, and what the app says is in the log at once.
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONUNBUFFERED=1

# Spaces run everything as user 1000, who owns a home and nothing else: the code stays as it was built.
RUN useradd --create-home --uid 1000 user
WORKDIR /app

# Before the code, so that a change of the code does not install it all again. Every file must have a hash that is
# written down. The CPU build of torch, whose hashes for x86-64 and ARM stand here, spares gigabytes of CUDA.
COPY .github/requirements.txt /tmp/
RUN echo "torch==2.13.0+cpu \
        --hash=sha256:6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b \
        --hash=sha256:84453b69508ec79902f899c5ed9495acb9e2bbe9fda5f1d5d6f19e3c3842e1a7" > /tmp/torch.txt \
    && pip install --no-deps --require-hashes --index-url https://download.pytorch.org/whl/cpu -r /tmp/torch.txt \
    && pip install --no-deps --require-hashes -r /tmp/requirements.txt

COPY . .
RUN python -m compileall -q app.py pages playground

USER 1000
# All that is ever written lies below the home. Whoever wants to keep it puts a volume there, or says another place.
ENV HOME=/home/user \
    HF_HOME=/home/user/.cache/huggingface \
    PLAYGROUND_CHECKPOINTS=/home/user/library
RUN mkdir "$PLAYGROUND_CHECKPOINTS" \
    # What draws the charts takes seconds to make; the first start finds it made.
    && python -c "from playground.ui.parts.charts import vega; vega.program.make()"

# All addresses of the container, one port, and no browser to open.
ENV STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_PORT=8501 \
    STREAMLIT_SERVER_HEADLESS=true
EXPOSE 8501
# Answers once everything has been rehearsed, so nobody is sent here before that.
HEALTHCHECK --interval=30s --timeout=5s --start-period=90s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["streamlit", "run", "app.py"]
